import { useState } from 'react'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { kindColor } from '#web/domain/kind-color.ts'
import { cx } from '#web/ui/class-names.ts'

/** The first page in a box of 210 : 297; without a picture, a drawn cover with the title. */
export function Cover({
  document: { cover, title, ext },
  className,
}: {
  document: { cover: string; title: string; ext: string }
  className?: string
}) {
  const [failed, setFailed] = useState('')
  const hasPicture = cover !== '' && cover !== failed
  return (
    <span
      className={cx(
        '@container block aspect-210/297 w-full shrink-0 overflow-hidden rounded-sm border border-line bg-[#fff]',
        className,
      )}
    >
      {hasPicture ? (
        <img
          src={cover}
          alt=""
          width={210}
          height={297}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(cover)}
          className="size-full object-contain"
        />
      ) : (
        <DrawnCover title={title} ext={ext} />
      )}
    </span>
  )
}

function DrawnCover({ title, ext }: { title: string; ext: string }) {
  return (
    <span
      aria-hidden
      style={{ color: kindColor(ext) }}
      className="flex size-full flex-col border-l-[6cqi] border-current bg-surface p-[9cqi]"
    >
      <span className="text-[max(10cqi,0.75rem)] leading-none font-bold">
        {documentKinds[getDocumentKind(ext)].label}
      </span>
      <span className="mt-[6cqi] mb-[8cqi] block h-[2.5cqi] w-2/5 shrink-0 rounded-full bg-current opacity-70" />
      <span className="line-clamp-4 text-[max(10.5cqi,0.75rem)] leading-snug font-semibold text-ink">{title}</span>
    </span>
  )
}
