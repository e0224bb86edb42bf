import { escapeHtml } from './escape-html.ts'
import {
  type MailTemplate,
  type MailTexts,
  placeholdersOf,
  splitText,
  type TemplateParams,
  textsOf,
} from './mail-templates.ts'

interface RenderedMail {
  subject: string
  text: string
  html: string
}

interface MailFrame {
  sitename: string
  texts: Partial<MailTexts>
  /** The page where the recipient ends such mails; none for mails that were asked for. */
  unsubscribe?: string
}

/** As text and as HTML that say the same. */
export function renderMail<T extends MailTemplate>(
  { sitename, texts, unsubscribe = '' }: MailFrame,
  template: T,
  params: TemplateParams[T],
): RenderedMail {
  const values = new Map<string, string>(
    Object.entries<string | number>({ sitename, ...params }).map(([key, value]) => [key, String(value)]),
  )
  const { subject, body, closing } = textsOf(template, texts)
  const parse = (text: string) => parseText(template, values, text)
  const paragraphs = body
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => parse(paragraph.trim()))
    // One that there is nothing to fill with, such as a link on a site without a domain.
    .filter((parts) => toPlainText(parts) !== '')
    // A link that the site cannot give.
    .filter((parts) => toPlainText(parts) !== '')
  const [title, end] = [toPlainText(parse(subject)), toPlainText(parse(closing))]
  return {
    subject: title,
    text: [...paragraphs.map(toPlainText), `--\n${end}${unsubscribe && `\n不想再收到这类邮件：${unsubscribe}`}`].join(
      '\n\n',
    ),
    html: layout({ sitename, title, body: paragraphs.map(toParagraph).join(''), end, unsubscribe }),
  }
}

interface Value {
  value: string
  look?: 'large' | 'list' | { button: string }
}
type Part = string | Value

/** Only the text is searched for placeholders, never what is filled in. */
function parseText(template: MailTemplate, values: ReadonlyMap<string, string>, text: string): Part[] {
  const placeholders = Object.entries(placeholdersOf(template))
  return splitText(text).map((item): Part => {
    if (typeof item === 'string') return item
    const [key, placeholder] = placeholders.find(([, { name }]) => name === item.name) ?? []
    const value = key === undefined ? undefined : values.get(key)
    if (value === undefined) return item.source
    return { value, ...(placeholder?.look && { look: placeholder.look }) }
  })
}

function toPlainText(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.value)).join('')
}

// Mail programs support tables and inline styles, and little else.
const paragraph = 'margin:0 0 16px;font-size:15px;line-height:1.7;color:#1f2937'
const list = 'margin:0 0 16px;padding:0 0 0 20px;font-size:15px;line-height:1.7;color:#1f2937'
const large = 'margin:0 0 16px;font-size:28px;font-weight:bold;letter-spacing:6px;color:#111827'
const button =
  'display:inline-block;padding:10px 28px;border-radius:6px;background:#1f6f5c;color:#ffffff;font-size:15px;text-decoration:none'
const small = 'margin:0 0 16px;font-size:13px;line-height:1.6;color:#4b5563;word-break:break-all'

function toParagraph(parts: readonly Part[]): string {
  const [only] = parts
  if (parts.length === 1 && typeof only === 'object' && only.look) return toBlock(only.value, only.look)
  return `<p style="${paragraph}">${parts.map(toInline).join('')}</p>`
}

/** Alone in its paragraph. */
function toBlock(value: string, look: NonNullable<Value['look']>): string {
  if (look === 'large') return `<p style="${large}">${escapeHtml(value)}</p>`
  if (look === 'list')
    return `<ul style="${list}">${value
      .split('\n')
      .map((line) => `<li style="margin:0 0 8px">${escapeHtml(line)}</li>`)
      .join('')}</ul>`
  const href = escapeHtml(value)
  return `<p style="${paragraph}"><a href="${href}" style="${button}">${escapeHtml(look.button)}</a></p><p style="${small}">按钮打不开时，请把这个地址复制到浏览器：<br><a href="${href}" style="color:#1f6f5c">${href}</a></p>`
}

function toInline(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part).replaceAll('\n', '<br>')
  const text = escapeHtml(part.value)
  if (part.look === 'large') return `<strong>${text}</strong>`
  if (part.look === 'list') return text.replaceAll('\n', '<br>')
  return part.look ? `<a href="${text}" style="color:#1f6f5c;word-break:break-all">${text}</a>` : text
}

interface MailPage {
  sitename: string
  title: string
  /** HTML. */
  body: string
  end: string
  unsubscribe: string
}

function layout({ sitename, title, body, end, unsubscribe }: MailPage): string {
  return `<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:0;background:#f3f4f6;font-family:-apple-system,'PingFang SC','Microsoft YaHei',sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;background:#ffffff;border-radius:8px">
<tr><td style="padding:24px 28px 8px;font-size:18px;font-weight:bold;color:#111827">${escapeHtml(sitename)}</td></tr>
<tr><td style="padding:8px 28px 12px">${body}</td></tr>
<tr><td style="padding:16px 28px 24px;border-top:1px solid #e5e7eb;font-size:12px;line-height:1.6;color:#6b7280">${escapeHtml(end).replaceAll('\n', '<br>')}${toUnsubscribeLink(unsubscribe)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function toUnsubscribeLink(address: string): string {
  return address && `<br><a href="${escapeHtml(address)}" style="color:#6b7280">不想再收到这类邮件</a>`
}
