import * as z from 'zod/mini'
import { isTime, wordsOf } from '#shared/fields.ts'
import { formatTime } from '#shared/format.ts'
import { getFieldLabel } from '#shared/labels.ts'

/** Changes in short, for the audit log: `名称: 旧 → 新`, long values cut, secrets masked, words in place of codes. */

const maxTextLength = 60
const maxItems = 20
const secretKey = /password|captcha|secret|token|identity|realname/i
const mask = '******'
/** Columns that are 0 or 1. */
const flagKey = /^(is_|enable)/

type Schema = z.core.$ZodType
type Values = Record<string, unknown>

/** Only what differs; keys that are not in `before` are left out. The schema of the form knows times and codes. */
export function describeDiff(before: Values, after: Values, schema: Schema): string {
  return Object.entries(after)
    .filter(([key, value]) => key in before && toText('', before[key]) !== toText('', value))
    .map(([key, value]) => {
      const field = fieldOf(schema, key)
      return `${getFieldLabel(key)}: ${toText(key, before[key], field)} → ${toText(key, value, field)}`
    })
    .join('; ')
}

/** Empty values are left out. */
export function describeInput(
  input: Values,
  { except = [], schema }: { except?: readonly string[]; schema?: Schema } = {},
): string {
  return describeEntries(input, schema, except).join('; ')
}

/** One setting. */
export function describeSetting(
  name: string,
  before: string,
  after: string,
  { isSecret }: { isSecret: boolean },
): string {
  const key = isSecret ? 'secret' : ''
  return `${name}: ${toText(key, before)} → ${toText(key, after)}`
}

function describeEntries(values: object, schema: Schema | undefined, except: readonly string[] = []): string[] {
  return Object.entries(values)
    .filter(([key, value]) => !except.includes(key) && !isEmpty(value))
    .map(([key, value]) => `${getFieldLabel(key)}: ${toText(key, value, fieldOf(schema, key))}`)
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function toText(key: string, value: unknown, schema?: Schema): string {
  if (isEmpty(value)) return '（空）'
  if (secretKey.test(key)) return mask
  if (typeof value === 'boolean' || flagKey.test(key)) return value ? '是' : '否'
  const text = Array.isArray(value)
    ? value
        .slice(0, maxItems)
        .map((item) => toPlainText(item, schema))
        .join('、')
    : toPlainText(value, schema)
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text
}

function toPlainText(value: unknown, schema?: Schema): string {
  const field = schema && unwrap(schema)
  const word = field && wordsOf(field)?.[String(value)]
  if (word !== undefined) return word
  if (typeof value === 'number') return field && isTime(field) ? formatTime(value) : String(value)
  if (typeof value === 'object' && value !== null) return `（${describeEntries(value, field).join('，')}）`
  return String(value)
}

/** The schema that an optional value, a default or a list holds. */
function unwrap(schema: Schema): Schema {
  if (wordsOf(schema) || isTime(schema)) return schema
  const { innerType, element, options } = schema._zod.def as {
    innerType?: Schema
    element?: Schema
    options?: Schema[]
  }
  const inner = innerType ?? element ?? options?.[0]
  return inner ? unwrap(inner) : schema
}

function fieldOf(schema: Schema | undefined, key: string): Schema | undefined {
  const object = schema && unwrap(schema)
  return object instanceof z.ZodMiniObject ? object.shape[key] : undefined
}
