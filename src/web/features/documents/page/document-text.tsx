import type { Document } from '#shared/contract/documents.ts'
import { SourceLine } from '#web/domain/source-line.tsx'
import { useSite } from '#web/domain/site.ts'

interface DocumentTextProps {
  document: Pick<Document, 'title' | 'description' | 'keywords' | 'content' | 'source_name' | 'source_url'>
}

/** The description, keywords, source and beginning of the text, also for screen readers and search engines. */
export function DocumentText({ document }: DocumentTextProps) {
  const { title, description, content, keywords } = document
  const { show_document_descriptions } = useSite().settings.display
  // Without a description of its own, a document has its title or its beginning.
  const hasDescription = description !== '' && description !== title && !content.trimStart().startsWith(description)
  const tags = keywords.split(/[,，、;；\s]+/).filter(Boolean)
  return (
    <div className="mt-8 space-y-5">
      {show_document_descriptions && hasDescription && (
        <section>
          <h2 className="text-base">简介</h2>
          <p className="prose-cn mt-2 text-sm whitespace-pre-line text-muted">{description}</p>
        </section>
      )}
      {tags.length > 0 && (
        <ul aria-label="关键字" className="flex flex-wrap gap-2 text-sm">
          {tags.map((tag) => (
            <li key={tag} className="rounded-sm bg-sunken px-2 py-0.5 text-muted">
              {tag}
            </li>
          ))}
        </ul>
      )}
      <SourceLine of={document} />
      {content.trim() !== '' && (
        <details className="rounded-md border border-line bg-surface text-sm">
          <summary className="px-4 py-2.5 font-medium">文本摘要</summary>
          <p className="border-t border-line px-4 py-3 leading-relaxed whitespace-pre-line text-muted">{content}</p>
        </details>
      )}
    </div>
  )
}
