import * as z from 'zod/mini'
import type { Message } from '#server/gateways/mail.ts'
import { escapeHtml } from '#server/html.ts'

/** What each template is filled with. */
export interface TemplateParams {
  'register-code': z.infer<typeof RegisterCode>
  'reset-link': z.infer<typeof ResetLink>
  'report-answer': z.infer<typeof ReportAnswer>
  test: z.infer<typeof Nothing>
}

const RegisterCode = z.object({ code: z.string(), minutes: z.number() })
const ResetLink = z.object({ username: z.string(), link: z.string(), minutes: z.number() })
const ReportAnswer = z.object({
  username: z.string(),
  title: z.string(),
  outcome: z.string(),
  answer: z.string(),
  /** Empty where the site has no domain. */
  link: z.string(),
})
const Nothing = z.record(z.string(), z.never())

export const MailTemplate = z.enum(['register-code', 'reset-link', 'report-answer', 'test'])
export type MailTemplate = z.infer<typeof MailTemplate>

const schemas: { [T in MailTemplate]: z.ZodMiniType<TemplateParams[T]> } = {
  'register-code': RegisterCode,
  'reset-link': ResetLink,
  'report-answer': ReportAnswer,
  test: Nothing,
}

/** Undefined if they do not fit the template, as when another version of the program has stored them. */
export function parseParams<T extends MailTemplate>(template: T, params: unknown): TemplateParams[T] | undefined {
  return schemas[template].safeParse(params).data
}

/** As text and as HTML that say the same. */
export function renderMail<T extends MailTemplate>(
  sitename: string,
  template: T,
  params: TemplateParams[T],
): Omit<Message, 'to' | 'id'> {
  const { subject, parts } = templates[template](params, sitename)
  const closing = `这封邮件由${sitename}自动发出，请不要直接回复。`
  return {
    subject: `${sitename} ${subject}`,
    text: [...parts.map(asText), `--\n${closing}`].join('\n\n'),
    html: layout({ sitename, subject, body: parts.map(asHtml).join(''), closing }),
  }
}

/** For lists, whichever version of the program has stored the mail. */
export function subjectOf(template: string): string {
  return new Map<string, string>(Object.entries(subjects)).get(template) ?? '其他邮件'
}

/** A sentence, a code to copy, or a link. */
type Part = string | { code: string } | { link: string; label: string }

interface MailContent {
  subject: string
  parts: Part[]
}

const ignore = '如果不是您本人操作，请忽略本邮件，您的账号不会有任何变化。'

const subjects: Record<MailTemplate, string> = {
  'register-code': '注册验证码',
  'reset-link': '重置密码',
  'report-answer': '举报处理结果',
  test: '测试邮件',
}

const templates: { [T in MailTemplate]: (params: TemplateParams[T], sitename: string) => MailContent } = {
  'register-code': ({ code, minutes }, sitename) => ({
    subject: subjects['register-code'],
    parts: [`您正在注册${sitename}，验证码是：`, { code }, `验证码 ${minutes} 分钟内有效，请不要告诉他人。`, ignore],
  }),
  'reset-link': ({ username, link, minutes }) => ({
    subject: subjects['reset-link'],
    parts: [
      `${username}，您好！`,
      `请在 ${minutes} 分钟内打开下面的链接，设置新的密码：`,
      { link, label: '重置密码' },
      ignore,
    ],
  }),
  'report-answer': ({ username, title, outcome, answer, link }) => ({
    subject: subjects['report-answer'],
    parts: [
      `${username}，您好！`,
      `您举报的文档“${title}”已经处理：${outcome}。`,
      `管理人员的答复：${answer}`,
      ...(link ? [{ link, label: '查看我的举报' }] : []),
    ],
  }),
  test: (_params, sitename) => ({
    subject: '的测试邮件',
    parts: [`收到这封邮件，说明 ${sitename} 的邮件设置可以正常使用。`],
  }),
}

function asText(part: Part): string {
  if (typeof part === 'string') return part
  return 'code' in part ? part.code : part.link
}

// Mail programs support tables and inline styles, and little else.
const paragraph = 'margin:0 0 16px;font-size:15px;line-height:1.7;color:#1f2937'
const big = 'margin:0 0 16px;font-size:28px;font-weight:bold;letter-spacing:6px;color:#111827'
const button =
  'display:inline-block;padding:10px 28px;border-radius:6px;background:#1f6f5c;color:#ffffff;font-size:15px;text-decoration:none'
const small = 'margin:0 0 16px;font-size:13px;line-height:1.6;color:#4b5563;word-break:break-all'

function asHtml(part: Part): string {
  if (typeof part === 'string') return `<p style="${paragraph}">${escapeHtml(part)}</p>`
  if ('code' in part) return `<p style="${big}">${escapeHtml(part.code)}</p>`
  const href = escapeHtml(part.link)
  return `<p style="${paragraph}"><a href="${href}" style="${button}">${escapeHtml(part.label)}</a></p><p style="${small}">按钮打不开时，请把这个地址复制到浏览器：<br><a href="${href}" style="color:#1f6f5c">${href}</a></p>`
}

interface MailPage {
  sitename: string
  subject: string
  body: string
  closing: string
}

function layout({ sitename, subject, body, closing }: MailPage): string {
  const [name, title, end] = [sitename, `${sitename} ${subject}`, closing].map(escapeHtml)
  return `<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="margin:0;padding:0;background:#f3f4f6;font-family:-apple-system,'PingFang SC','Microsoft YaHei',sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;background:#ffffff;border-radius:8px">
<tr><td style="padding:24px 28px 8px;font-size:18px;font-weight:bold;color:#111827">${name}</td></tr>
<tr><td style="padding:8px 28px 12px">${body}</td></tr>
<tr><td style="padding:16px 28px 24px;border-top:1px solid #e5e7eb;font-size:12px;line-height:1.6;color:#6b7280">${end}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}
