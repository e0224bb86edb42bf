import { Link } from 'react-router'
import { searchPath } from '#web/lib/search-path.ts'

/** The words an author gave, each leading to the articles that have it. */
export function TagLinks({ keywords }: { keywords: string }) {
  const tags = tagsIn(keywords)
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

/** As authors tell them apart: a tag may have spaces in it. */
function tagsIn(keywords: string): string[] {
  const words = keywords.split(/[,，、;；\n]/).map((word) => word.trim().replace(/\s+/g, ' '))
  return [...new Map(words.filter(Boolean).map((word) => [word.toLowerCase(), word])).values()]
}
