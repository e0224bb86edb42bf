import { getFieldLabel } from '#shared/labels.ts'

/** Changes in short, for the audit log: `名称: 旧 → 新`, long values cut, secrets masked. */

const maxTextLength = 60
const maxItems = 20
const secretKey = /password|captcha|secret|token|identity|realname/i
const mask = '******'
/** Columns that are 0 or 1. */
const flagKey = /^(is_|enable)/

/** Only what differs; keys that are not in `before` are left out. */
export function describeDiff(before: Record<string, unknown>, after: Record<string, unknown>): string {
  return Object.entries(after)
    .filter(([key, value]) => key in before && toText('', before[key]) !== toText('', value))
    .map(([key, value]) => `${getFieldLabel(key)}: ${toText(key, before[key])} → ${toText(key, value)}`)
    .join('; ')
}

/** Empty values are left out. */
export function describeInput(
  input: Record<string, unknown>,
  { except = [] }: { except?: readonly string[] } = {},
): string {
  return Object.entries(input)
    .filter(([key, value]) => !except.includes(key) && !isEmpty(value))
    .map(([key, value]) => `${getFieldLabel(key)}: ${toText(key, value)}`)
    .join('; ')
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

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function toText(key: string, value: unknown): string {
  if (isEmpty(value)) return '（空）'
  if (secretKey.test(key)) return mask
  if (typeof value === 'boolean' || flagKey.test(key)) return value ? '是' : '否'
  const text = Array.isArray(value) ? value.slice(0, maxItems).map(toPlainText).join(',') : toPlainText(value)
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text
}

function toPlainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
