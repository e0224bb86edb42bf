import * as z from 'zod/mini'
import { type MailTemplate, mailTemplateNames, mailTemplates, type TemplateParams } from '#shared/mail-templates.ts'
import { renderMail } from '#shared/render-mail.ts'
import type { Settings } from '#shared/settings.ts'
import type { Message } from '#server/gateways/mail.ts'

export const TemplateName = z.enum(mailTemplateNames)

/** With the texts of this site. */
export function renderTemplate<T extends MailTemplate>(
  { system, mail_text }: Pick<Settings, 'system' | 'mail_text'>,
  template: T,
  params: TemplateParams[T],
  unsubscribe = '',
): Omit<Message, 'to' | 'id'> {
  return renderMail({ sitename: system.sitename, texts: mail_text, unsubscribe }, template, params)
}

/** Undefined if they do not fit the template, as when another version of the program has stored them. */
export function parseParams<T extends MailTemplate>(template: T, params: unknown): TemplateParams[T] | undefined {
  const keys = Object.keys(mailTemplates[template].placeholders)
  const schema = z.object(Object.fromEntries(keys.map((key) => [key, z.union([z.string(), z.number()])])))
  // The keys are those of the placeholders, as in the type.
  return schema.safeParse(params).data as TemplateParams[T] | undefined
}

/** For lists, whichever version of the program has stored the mail. */
export function titleOf(template: string): string {
  const { data } = TemplateName.safeParse(template)
  return data ? mailTemplates[data].title : '其他邮件'
}
