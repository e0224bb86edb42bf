import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import styles from '#web/admin/resources/content/thumbnail.module.css'
import { kindColor } from '#web/domain/kind-color.ts'

/** The cover of a document above its kind. */
export function Thumbnail({ ext, cover }: { ext: string; cover: string }) {
  return (
    <span className={styles.thumbnail} style={{ color: kindColor(ext) }}>
      {cover && <img src={cover} alt="" width={34} height={48} loading="lazy" className={styles.cover} />}
      <span className={styles.kind}>{documentKinds[getDocumentKind(ext)].label}</span>
    </span>
  )
}
