import { ContentType } from '#shared/enums.ts'
import { WordLinks } from '#web/features/documents/browse/word-links.tsx'
import { useSite } from '#web/domain/site.ts'

interface KeywordCardProps {
  words: string[]
  title?: string
  type?: ContentType
}

/** The keywords of the listed documents as searches; a setting hides them. */
export function KeywordCard({ words, title = '关键字', type = ContentType.Document }: KeywordCardProps) {
  if (useSite().settings.display.hide_keywords_on_lists) return null
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface p-4">
      <h2 className="mb-3 text-base">{title}</h2>
      <WordLinks words={words} type={type} />
    </section>
  )
}
