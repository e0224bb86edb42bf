import { Link } from 'react-router'

/** Words that stand with the documents of a page, to look further with. */
export function KeywordCard({ words }: { words: string[] }) {
  return (
    <section aria-label="关键字" className="rounded-lg border border-line bg-surface p-4">
      <h2 className="mb-3 text-base">关键字</h2>
      <ul className="flex flex-wrap gap-2 text-sm">
        {words.map((word) => (
          <li key={word} className="min-w-0">
            <Link
              to={`/search?${new URLSearchParams({ wd: word, type: '0' })}`}
              className="block truncate rounded-sm bg-sunken px-2 py-1 text-muted hover:text-accent"
            >
              {word}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
