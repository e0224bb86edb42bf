import { Link } from 'react-router'
import { searchPath } from '#web/lib/search-path.ts'

/** Words to look further with, among documents or articles (1). */
export function WordLinks({ words, type = 0 }: { words: readonly string[]; type?: 0 | 1 }) {
  return (
    <ul className="flex flex-wrap gap-2 text-sm">
      {words.map((word) => (
        <li key={word} className="min-w-0">
          <Link
            to={searchPath(word, type)}
            className="block truncate rounded-sm bg-sunken px-2 py-1 text-muted hover:text-accent"
          >
            {word}
          </Link>
        </li>
      ))}
    </ul>
  )
}
