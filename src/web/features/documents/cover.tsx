import { useState, type CSSProperties } from 'react'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { kindColor } from '#web/domain/kind-color.ts'
import { cx } from '#web/ui/class-names.ts'

interface CoverProps {
  document: {
    cover: string
    title: string
    /** The author, who stands on a drawn cover. */
    username?: string
    ext: string
    pages?: number
    /** The main colour of the picture. */
    tint?: string
    isLandscape?: boolean
  }
  /** Writes kind and pages on it. */
  withFacts?: boolean
  /** It is in the first screen of the page. */
  isFirst?: boolean
  className?: string
}

/**
 * The first page in a box of 210 : 297. A slide stands on a ground of its own colour, a table shows its upper left corner. Text
 * has no picture worth a look, so it gets a drawn cover, as documents without a picture do. The rules are in app.css, so that
 * the HTML of many covers stays small.
 */
export function Cover({ document, withFacts = false, isFirst = false, className }: CoverProps) {
  const { cover, title, username = '', ext, pages = 0, tint } = document
  const [failed, setFailed] = useState('')
  const kind = getDocumentKind(ext)
  const hasPicture = cover !== failed && !isDrawn(document)
  const style: CSSProperties & { '--tint': string } = { '--tint': (hasPicture && tint) || kindColor(ext) }
  const fit = !hasPicture ? undefined : kind === 'excel' ? 'corner' : document.isLandscape ? 'whole' : undefined
  return (
    <span className={cx('cover', className)} data-fit={fit} style={fit === 'whole' || !hasPicture ? style : undefined}>
      {hasPicture ? (
        <img
          src={cover}
          alt=""
          width={210}
          height={297}
          loading={isFirst ? undefined : 'lazy'}
          decoding="async"
          onError={() => setFailed(cover)}
        />
      ) : (
        <i aria-hidden>
          <b>{title}</b>
          {username !== '' && <span>{username}</span>}
          {!withFacts && documentKinds[kind].label}
        </i>
      )}
      {withFacts && (
        <small>{[documentKinds[kind].label, pages > 0 && `${pages} 页`].filter(Boolean).join(' · ')}</small>
      )}
    </span>
  )
}

/** Whether the cover of a document is drawn rather than a picture of it. */
export function isDrawn({ cover, ext }: { cover: string; ext: string }): boolean {
  return cover === '' || getDocumentKind(ext) === 'text'
}
