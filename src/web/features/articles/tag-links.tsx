import { Link } from 'react-router'
import { searchPath } from '#web/lib/search-path.ts'

/** The words an author gave, each leading to the articles that have it. */
export function TagLinks({ keywords }: { keywords: string }) {
  const tags = [...new Set(keywords.split(/[,，、;；\s]+/).filter(Boolean))]
  if (tags.length === 0) return null
  return (
    <ul aria-label="标签" className="flex flex-wrap gap-2 text-sm">
      {tags.map((tag) => (
        <li key={tag} className="min-w-0">
          <Link
            to={searchPath(tag, 1)}
            className="block truncate rounded-sm bg-sunken px-2 py-1 text-muted hover:text-accent"
          >
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}
