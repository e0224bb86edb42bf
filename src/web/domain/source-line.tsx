import type { Document } from '#shared/contract/documents.ts'

/** Where a document or an article was taken from. */
export function SourceLine({ of: { source_name, source_url } }: { of: Pick<Document, 'source_name' | 'source_url'> }) {
  const name = source_name || URL.parse(source_url)?.host
  if (!name) return null
  return (
    <p className="text-sm break-words text-muted">
      来源：
      {source_url ? (
        <a href={source_url} rel="nofollow noopener" target="_blank" className="underline hover:text-accent">
          {name}
        </a>
      ) : (
        name
      )}
    </p>
  )
}
