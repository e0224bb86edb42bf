import type { FormInstance } from 'antd'
import * as z from 'zod/mini'
import type { Endpoint } from '#shared/endpoint.ts'
import { ApiError } from '#shared/errors.ts'
import type { Field } from '#web/admin/resource.ts'

/** A form is checked by the schema of the endpoint it is sent to, so that browser and server say the same. */
export function ruleOf(endpoint: Endpoint, field: Field) {
  const schema = endpoint.input.shape[field.key]
  return {
    validator: async (_rule: unknown, value: unknown) => {
      if (field.required && isBlank(value)) throw new Error(`请填写${field.label}`)
      if (!schema) return
      const { success, error } = z.safeParse(schema, value ?? undefined)
      if (!success) throw new Error(sentence(error.issues[0], field, value))
    },
  }
}

export function isRequired(endpoint: Endpoint, field: Field): boolean {
  if (field.required) return true
  const schema = endpoint.input.shape[field.key]
  return schema !== undefined && !z.safeParse(schema, field.empty ?? undefined).success
}

/** Which field a refusal is about, by the server's reason for it. */
export type Blame = Record<string, string>

/** Puts the server's complaints beside their fields; false when it named none of them. */
export function showProblems(
  form: FormInstance,
  fields: readonly Pick<Field, 'key'>[],
  error: unknown,
  blame: Blame = {},
): boolean {
  if (!(error instanceof ApiError)) return false
  const blamed = { field: blame[error.reason] ?? '', message: error.message }
  const named = [...error.details, blamed].filter(({ field }) => fields.some(({ key }) => key === field))
  form.setFields(named.map(({ field, message }) => ({ name: field, errors: [message] })))
  const [first] = named
  if (first) form.scrollToField(first.field, { block: 'center' })
  return named.length > 0
}

type Issue = z.core.$ZodIssue

function sentence(issue: Issue | undefined, field: Field, value: unknown): string {
  if (value === undefined && field.empty === undefined) return `请选择${field.label}`
  if (issue?.code === 'invalid_union' && issue.errors[0]?.[0]) return sentence(issue.errors[0][0], field, value)
  const message = issue?.message ?? ''
  if (message && !message.startsWith('Invalid')) return message
  // The schema has no sentence of its own for this.
  return isBlank(value) ? `请填写${field.label}` : `${field.label}不正确`
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
