import { formatTime } from '#shared/format.ts'

export interface DocumentNotes {
  title: string
  /** Empty for a document that the member may not see any more. */
  uuid: string
  annotations: readonly { page: number; quote: string; note: string; updated_at: number }[]
  bookmarks: readonly { page: number; label: string }[]
}

/** Notes by page: what was marked as a quotation, below it the note, and links back to the pages. */
export function renderNotes({ title, uuid, annotations, bookmarks }: DocumentNotes, domain: string): string {
  const path = uuid === '' ? '' : `/document/${uuid}`
  const link = (text: string, query: string) =>
    path === '' ? text : `[${text}](${domain ? new URL(path + query, domain).href : path + query})`
  const pages = [...new Set([...annotations, ...bookmarks].map(({ page }) => page))].toSorted((a, b) => a - b)
  const parts = [
    `# ${link(escapeMarkdown(oneLine(title)), '')}`,
    ...(path === '' ? ['文档已不可见。'] : []),
    ...pages.flatMap((page) => [
      `## ${link(`第 ${page} 页`, `?page=${page}`)}`,
      ...bookmarks
        .filter((bookmark) => bookmark.page === page)
        .map(({ label }) => (label ? `书签：${escapeMarkdown(oneLine(label))}` : '书签')),
      ...annotations.filter((annotation) => annotation.page === page).flatMap(renderAnnotation),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}

function renderAnnotation({ quote, note, updated_at }: DocumentNotes['annotations'][number]): string[] {
  const lines = quote.split(/\r?\n/).map((line) => `> ${escapeMarkdown(line.trim())}`.trimEnd())
  // The note is the member's own text, which may be Markdown.
  return [lines.join('\n'), ...(note === '' ? [] : [note]), `*${formatTime(updated_at)}*`]
}

/** Text of documents is shown as it is: neither markup nor HTML. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>#|~]/g, String.raw`\$&`)
    .replace(/^(\s*)([-+=])/, String.raw`$1\$2`)
    .replace(/^(\s*\d+)([.)])/, String.raw`$1\$2`)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
