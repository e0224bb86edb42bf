import { getDocumentKind, type DocumentKind } from '#shared/document-kinds.ts'
import { kindColor } from '#web/domain/kind-color.ts'

/** A sheet with the colour and the letters of its kind. */
export function KindIcon({ ext, size = 20 }: { ext: string; size?: number }) {
  const kind = getDocumentKind(ext)
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 24 24"
      className="shrink-0"
      style={{ color: kindColor(ext) }}
    >
      <path fill="currentColor" d="M6 1h8.5L21 7.5V21a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2z" />
      <path className="fill-surface" opacity=".45" d="M14.5 1v4.5a2 2 0 0 0 2 2H21z" />
      <text
        x="12.5"
        y="18.6"
        textAnchor="middle"
        fontFamily="Arial, Helvetica, sans-serif"
        fontWeight="700"
        fontSize={kind === 'pdf' ? 6.6 : 10.5}
        className="fill-surface"
      >
        {marks[kind]}
      </text>
    </svg>
  )
}

const marks: Record<DocumentKind, string> = {
  pdf: 'PDF',
  word: 'W',
  ppt: 'P',
  excel: 'X',
  text: 'T',
  epub: 'E',
  mobi: 'M',
  chm: 'C',
  umd: 'U',
  other: '文',
}
