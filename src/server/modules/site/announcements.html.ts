import { escapeHtml } from '#shared/escape-html.ts'
import { safeHtml } from '#server/html.ts'

/** Sanitized HTML as it is; plain text in paragraphs, its addresses as links. */
export function toAnnouncementHtml(content: string): string {
  return safeHtml(/<\/?[a-z][^>]*>/i.test(content) ? content : textToHtml(content))
}

function textToHtml(text: string): string {
  return text
    .split(/\r?\n\s*\r?\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${paragraph.trim().split(/\r?\n/).map(withLinks).join('<br>')}</p>`)
    .join('')
}

/** Chinese punctuation ends an address; so does a dot or a comma before a space. */
const address = /(https?:\/\/[^\s<>"'，。；：！？、（）《》【】“”]*[^\s<>"'，。；：！？、（）《》【】“”.,;:!?)])/i

function withLinks(line: string): string {
  return line
    .split(address)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join('')
}
