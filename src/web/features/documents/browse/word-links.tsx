import { ContentType } from '#shared/enums.ts'
import { Link } from 'react-router'
import { searchPath } from '#web/domain/paths.ts'

/** Words as links to the search for them. */
export function WordLinks({ words, type = ContentType.Document }: { words: readonly string[]; type?: ContentType }) {
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
