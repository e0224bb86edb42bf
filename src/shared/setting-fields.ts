import { emailPattern } from './email.ts'
import { type MoneyUnit, toYuanText } from './prices.ts'

/** The kinds of settings: how each is declared, and how its value is parsed from text. */

interface Traits {
  help?: string
  /** Width on the admin screen, of 24 columns. */
  columns?: number
  /** The format of a text, unless it is empty. */
  shape?: keyof typeof shapes
  /** An amount of money, in this unit; owners see and type yuan. */
  money?: MoneyUnit
  /** What is wrong with the entries of a list. */
  findProblem?: (entries: readonly string[]) => string | undefined
  /** The default names the product: until the owner changes the text, it names the site. */
  namesSite?: true
}

const shapes = {
  link: { pattern: /^(https?:\/\/\S+|\/(?![/\\])\S*)$/i, problem: '网址须以 / 、http:// 或 https:// 开头' },
  origin: {
    pattern: /^https?:\/\/[^\s/?#@]+$/i,
    problem: '请填写完整域名，如 https://wenku.example.com，末尾不带斜杠',
  },
  color: { pattern: /^#[0-9a-f]{6}$/i, problem: '请输入六位十六进制颜色，如 #1f6f5c' },
  email: { pattern: emailPattern, problem: '请输入正确的邮箱地址' },
  year: { pattern: /^\d{4}$/, problem: '请输入四位年份' },
}

type Kind = 'text' | 'textarea' | 'password' | 'image' | 'number' | 'switch' | 'select' | 'select-multi'

type Value = string | number | boolean | string[]

export interface Field<T extends Value = Value> extends Traits {
  kind: Kind
  label: string
  default: T
  /** Can be written, never read back. */
  secret?: true
  options?: Record<string, string>
  min?: number
  max?: number
}

interface Group<F extends Record<string, Field>> {
  title: string
  fields: F
}

/** Displayed in place of a secret that is set; sent back, it leaves the secret as it is. */
export const maskedSecret = '******'

/** The text of a setting, with a secret masked. */
export function toDisplayText(field: Field, value: Value): string {
  const text = toText(value)
  return field.secret && text ? maskedSecret : text
}

/** The value as people read it: money in yuan, switches and options in words. */
export function toPlainWords(field: Field, value: Value): string {
  if (field.money && typeof value === 'number') return `${toYuanText(value, field.money)} 元`
  if (typeof value === 'boolean') return value ? '开' : '关'
  const { options } = field
  return options
    ? [value]
        .flat()
        .map((item) => options[String(item)] ?? String(item))
        .join('、')
    : toText(value)
}

/** Settings are sent and stored as text. */
export function toText(value: Value): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** The value, or a message that says what is wrong with the text. */
export function fromText(field: Field, text: string): { value: Value } | { problem: string } {
  const value = parsers[field.kind](text.trim())
  if (field.kind === 'switch' && !/^(true|false|1|0|)$/.test(text.trim())) {
    return { problem: `${field.label}：请填写 true 或 false` }
  }
  if (field.kind === 'number') return parseNumber(field, Number(value))
  if (field.kind === 'select' && !Object.hasOwn(field.options ?? {}, String(value))) {
    return { problem: `${field.label}：请从给出的选项中选择` }
  }
  const problem = Array.isArray(value) ? field.findProblem?.(value) : undefined
  if (problem !== undefined) return { problem: `${field.label}：${problem}` }
  if (String(value).length > 20_000) return { problem: `${field.label}：内容过长` }
  const shape = field.shape && shapes[field.shape]
  if (shape && value && !shape.pattern.test(String(value))) return { problem: `${field.label}：${shape.problem}` }
  return { value }
}

const asIs = (text: string): Value => text

const parsers: Record<Kind, (text: string) => Value> = {
  text: asIs,
  textarea: asIs,
  password: asIs,
  image: asIs,
  select: asIs,
  number: (text) => (text === '' ? 0 : Number(text)),
  switch: (text) => text === 'true' || text === '1',
  'select-multi': (text) =>
    text
      .split(/[,，\n]/)
      .map((item) => item.trim())
      .filter(Boolean),
}

function parseNumber(field: Field, value: number): { value: number } | { problem: string } {
  const { label, min, max, money } = field
  const toWords = (limit: number) => (money ? `${toYuanText(limit, money)} 元` : String(limit))
  if (!Number.isSafeInteger(value)) return { problem: `${label}：请输入整数` }
  if (min !== undefined && value < min) return { problem: `${label}：不能小于 ${toWords(min)}` }
  if (max !== undefined && value > max) return { problem: `${label}：不能大于 ${toWords(max)}` }
  return { value }
}

export function group<F extends Record<string, Field>>(title: string, fields: F): Group<F> {
  return { title, fields }
}

export function text(label: string, fallback: string, traits?: Traits): Field<string> {
  return createField({ kind: 'text', label, default: fallback }, traits)
}

export function textarea(label: string, fallback: string, traits?: Traits): Field<string> {
  return createField({ kind: 'textarea', label, default: fallback }, traits)
}

export function password(label: string, traits?: Traits): Field<string> {
  return createField({ kind: 'password', label, default: '', secret: true }, traits)
}

export function image(label: string, traits?: Traits): Field<string> {
  return createField({ kind: 'image', label, default: '', shape: 'link' }, traits)
}

export function list(label: string, fallback: string[], traits?: Traits): Field<string[]> {
  return createField({ kind: 'select-multi', label, default: fallback }, traits)
}

/** Any of the options. */
export function choices(label: string, options: Record<string, string>, traits?: Traits): Field<string[]> {
  return createField({ kind: 'select-multi', label, default: [], options }, traits)
}

export function toggle(label: string, fallback: boolean, traits?: Traits): Field<boolean> {
  return createField({ kind: 'switch', label, default: fallback }, traits)
}

export function number(label: string, fallback: number, traits?: Traits & Pick<Field, 'min' | 'max'>): Field<number> {
  return createField({ kind: 'number', label, default: fallback }, traits)
}

export function choice(
  label: string,
  fallback: string,
  options: Record<string, string>,
  traits?: Traits,
): Field<string> {
  return createField({ kind: 'select', label, default: fallback, options }, traits)
}

function createField<T extends Value>(field: Field<T>, traits?: Traits): Field<T> {
  return { ...field, ...traits }
}
