import type { FormInstance } from 'antd'
import * as z from 'zod/mini'
import type { Endpoint } from '#shared/endpoint.ts'
import { ApiError } from '#shared/errors.ts'
import type { Field } from '#web/admin/resource.ts'

/** Forms are validated by the schema of their endpoint, so that browser and server give the same messages. */
export function toRule(endpoint: Endpoint, field: Field) {
  const schema = endpoint.input.shape[field.key]
  return {
    validator: async (_rule: unknown, value: unknown) => {
      if (field.required && isBlank(value)) throw new Error(`请填写${field.label}`)
      if (!schema) return
      const { success, error } = z.safeParse(schema, value ?? undefined)
      if (!success) throw new Error(toMessage(error.issues[0], field, value))
    },
  }
}

export function isRequired(endpoint: Endpoint, field: Field): boolean {
  if (field.required) return true
  const schema = endpoint.input.shape[field.key]
  return schema !== undefined && !z.safeParse(schema, field.empty ?? undefined).success
}

/** The field at which an error of the server is shown, by the error's reason. */
export type ErrorFields = Record<string, string>

/** Shows the server's errors at their fields; false when none of them belongs to a field. */
export function showFieldErrors(
  form: FormInstance,
  fields: readonly Pick<Field, 'key'>[],
  error: unknown,
  errorFields: ErrorFields = {},
): boolean {
  if (!(error instanceof ApiError)) return false
  const byReason = { field: errorFields[error.reason] ?? '', message: error.message }
  const fieldErrors = [...error.details, byReason].filter(({ field }) => fields.some(({ key }) => key === field))
  form.setFields(fieldErrors.map(({ field, message }) => ({ name: field, errors: [message] })))
  const [first] = fieldErrors
  if (first) revealField(form, first.field)
  return fieldErrors.length > 0
}

/** Where a section of a form names its fields. */
export const sectionFields = 'data-fields'

/** Opens the folded section of a field. */
export function unfoldField(key: string): void {
  document.querySelector(`details[${sectionFields}~="${CSS.escape(key)}"]`)?.setAttribute('open', '')
}

/** Without the focus: a field is validated by the browser when it loses it, and would then lose the server's error, too. */
export function revealField(form: FormInstance, key: string): void {
  unfoldField(key)
  form.scrollToField(key, { block: 'center' })
}

type Issue = z.core.$ZodIssue

function toMessage(issue: Issue | undefined, field: Field, value: unknown): string {
  if (value === undefined && field.empty === undefined) return `请选择${field.label}`
  if (issue?.code === 'invalid_union' && issue.errors[0]?.[0]) return toMessage(issue.errors[0][0], field, value)
  const message = issue?.message ?? ''
  if (message && !message.startsWith('Invalid')) return message
  // The schema has no message of its own for this.
  return isBlank(value) ? `请填写${field.label}` : `${field.label}不正确`
}

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
