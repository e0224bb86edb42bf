import { Link } from 'react-router'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { documentPath } from '#web/domain/paths.ts'
import { kindColor } from '#web/domain/kind-color.ts'
import { cx } from '#web/ui/class-names.ts'

interface Line {
  uuid: string
  title: string
  ext: string
  aside?: string
}

/** Documents as lines. Their classes are on a container (`lineClass`), which keeps the HTML small. */
export function TitleLines({ lines, className }: { lines: Line[]; className?: string }) {
  return (
    <ul className={className}>
      {lines.map(({ uuid, title, ext, aside }) => (
        <li key={uuid}>
          <b style={{ color: kindColor(ext) }}>{documentKinds[getDocumentKind(ext)].label}</b>
          <Link discover="none" to={documentPath({ uuid })}>
            {title}
          </Link>
          {aside && <small>{aside}</small>}
        </li>
      ))}
    </ul>
  )
}

export const lineClass = cx(
  '[&_li]:flex [&_li]:text-sm [&_li]:items-center [&_li]:gap-2.5 [&_li]:py-2 [&_li>a]:truncate [&_li>a]:font-title [&_li>a]:hover:text-accent',
  '[&_li>b]:shrink-0 [&_li>b]:rounded-sm [&_li>b]:border [&_li>b]:border-current [&_li>b]:px-1 [&_li>b]:text-xs [&_li>b]:leading-4 [&_li>b]:font-semibold',
  '[&_li>small]:ml-auto [&_li>small]:shrink-0 [&_li>small]:text-sm [&_li>small]:text-muted [&_li>small]:tabular-nums',
)
