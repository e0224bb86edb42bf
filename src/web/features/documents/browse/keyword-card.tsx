import { WordLinks } from '#web/features/documents/browse/word-links.tsx'
import { useSite } from '#web/lib/site.ts'

interface KeywordCardProps {
  words: string[]
  title?: string
  type?: 0 | 1
}

/** Words that stand with what a page lists, to look further with; the owner may not want them. */
export function KeywordCard({ words, title = '关键字', type = 0 }: KeywordCardProps) {
  if (useSite().settings.display.hide_keywords_on_lists) return null
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface p-4">
      <h2 className="mb-3 text-base">{title}</h2>
      <WordLinks words={words} type={type} />
    </section>
  )
}
