import type { Config } from '#shared/contract/settings.ts'
import { ApiError } from '#shared/errors.ts'
import { defaultText, findTextProblem } from '#shared/mail-templates.ts'
import { type Field, fromText, toText } from '#shared/setting-fields.ts'

/** Settings are text in the API and values of their kind in the form, where the texts of mails are never empty. */

export type Value = string | number | boolean | string[] | null
export type Values = Record<string, Value>

export interface Setting {
  name: string
  row: Config
  field: Field
}

export function toFormValue({ name, row, field }: Setting): Value {
  if (row.category === 'mail_text') return row.value || defaultText(name)
  const parsed = fromText(field, row.value)
  return 'value' in parsed ? parsed.value : row.value
}

/** As the API takes them. */
export function toChanges(settings: readonly Setting[], values: Values) {
  return settings.map(({ name, row: { category } }) => {
    const value = toSettingText(values[name])
    return { category, name, value: category === 'mail_text' && value === defaultText(name) ? '' : value }
  })
}

/** An emptied number is the empty text. */
function toSettingText(value: Value | undefined): string {
  return value === null || value === undefined ? '' : toText(value)
}

export function checkValue({ name, row, field }: Setting, value: Value): void {
  const text = toSettingText(value)
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
