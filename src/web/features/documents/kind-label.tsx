import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { kindColor } from '#web/domain/kind-color.ts'

/** The kind of a document as a small label, for list rows. */
export function KindLabel({ ext }: { ext: string }) {
  return (
    <span
      style={{ color: kindColor(ext) }}
      className="shrink-0 rounded-sm border border-current px-1 text-xs leading-4 font-semibold whitespace-nowrap"
    >
      {documentKinds[getDocumentKind(ext)].label}
    </span>
  )
}
