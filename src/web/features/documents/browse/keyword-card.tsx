import { WordLinks } from '#web/features/documents/browse/word-links.tsx'

/** Words that stand with the documents of a page, to look further with. */
export function KeywordCard({ words, title = '关键字' }: { words: string[]; title?: string }) {
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface p-4">
      <h2 className="mb-3 text-base">{title}</h2>
      <WordLinks words={words} />
    </section>
  )
}
