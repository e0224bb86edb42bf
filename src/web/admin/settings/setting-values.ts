import type { Config } from '#shared/contract/settings.ts'
import { ApiError } from '#shared/errors.ts'
import { defaultText, findTextProblem } from '#shared/mail-templates.ts'
import { parseYuan, toYuanText } from '#shared/prices.ts'
import { type Field, fromText, toText } from '#shared/setting-fields.ts'

/** Settings are text in the API and values of their kind in the form, where the texts of mails are never empty. */

export type Value = string | number | boolean | string[] | null
export type Values = Record<string, Value>

export interface Setting {
  name: string
  row: Config
  field: Field
}

/** Money is typed in yuan here; the wire, and so its label, has a smaller unit. */
export function titleOf({ row, field }: Setting): string {
  return field.money ? `${field.label}（元）` : row.label
}

export function helpOf({ row, field }: Setting): string {
  return field.money ? (field.help ?? '') : row.placeholder
}

export function toFormValue({ name, row, field }: Setting): Value {
  if (row.category === 'mail_text') return row.value || defaultText(name)
  const parsed = fromText(field, row.value)
  if ('problem' in parsed) return row.value
  return field.money ? toYuanText(Number(parsed.value), field.money) : parsed.value
}

/** As the API takes them. */
export function toChanges(settings: readonly Setting[], values: Values) {
  return settings.map(({ name, row: { category }, field }) => {
    const value = toSettingText(field, values[name])
    return { category, name, value: category === 'mail_text' && value === defaultText(name) ? '' : value }
  })
}

/** An emptied number is the empty text. What is no amount of money stays as it was typed: the server refuses it too. */
function toSettingText({ money }: Field, value: Value | undefined): string {
  if (value === null || value === undefined) return ''
  const parsed = money && parseYuan(String(value), money)
  return parsed && 'amount' in parsed ? String(parsed.amount) : toText(value)
}

export function checkValue({ name, row, field }: Setting, value: Value): void {
  const typed = field.money ? parseYuan(String(value ?? ''), field.money) : undefined
  if (typed && 'problem' in typed) throw new Error(typed.problem)
  const text = toSettingText(field, value)
  const problem = row.category === 'mail_text' ? findTextProblem(name, text) : undefined
  if (problem !== undefined) throw new Error(problem)
  const parsed = fromText(field, text)
  if ('problem' in parsed) throw new Error(withoutLabel(parsed.problem, field))
}

/** The problems that the server found, by field. */
export function toFieldErrors(error: unknown, settings: readonly Setting[]): { name: string; errors: string[] }[] {
  if (!(error instanceof ApiError)) return []
  return error.details.flatMap(({ field, message }) => {
    const key = field.split('.').at(-1)
    const setting = settings.find(({ name }) => name === key)
    return setting ? [{ name: setting.name, errors: [withoutLabel(message, setting.field)] }] : []
  })
}

/** Messages name their field for other places; here they are shown at the field. */
function withoutLabel(message: string, { label }: Field): string {
  return message.replace(`${label}：`, '')
}
