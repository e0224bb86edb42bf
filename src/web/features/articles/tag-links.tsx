import { Link } from 'react-router'
import { ContentType } from '#shared/enums.ts'
import { searchPath } from '#web/domain/paths.ts'
import { parseTags } from '#web/features/articles/tags.ts'

/** The author's tags, each linked to the search for it. */
export function TagLinks({ keywords }: { keywords: string }) {
  const tags = parseTags(keywords)
  if (tags.length === 0) return null
  return (
    <ul aria-label="标签" className="flex flex-wrap gap-2 text-sm">
      {tags.map((tag) => (
        <li key={tag} className="min-w-0">
          <Link
            to={searchPath(tag, ContentType.Article)}
            className="block truncate rounded-sm bg-sunken px-2 py-1 text-muted hover:text-accent"
          >
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}
