import * as z from 'zod/mini'
import { allCodes, type CodeOf, labelsOf } from './codes.ts'
import { emailPattern } from './email.ts'
import { mobilePattern } from './mobile.ts'

/** The field types of contracts: plain zod schemas, so that forms and OpenAPI can read them. */

const wireForms = z.registry<{ form: 'time' | 'file' }>()

/** Milliseconds in code, RFC 3339 on the wire, which has four digits for the year; wire.ts converts. */
export const time = z
  .int('请输入正确的时间')
  .check(z.gte(0, '请输入正确的时间'), z.lte(Date.UTC(9999, 11, 31), '请输入正确的时间'))
  .register(wireForms, { form: 'time' })
export const unsetTime = z.nullable(time)

export function isTime(schema: z.core.$ZodType): boolean {
  return wireForms.get(schema)?.form === 'time'
}

/** A reply that is not JSON: the server streams it, the client gets a blob. */
export interface FileReply {
  name: string
  type: string
  body: ReadableStream<Uint8Array> | Blob
}

export const file = z.custom<FileReply>().register(wireForms, { form: 'file' })

export function isFile(schema: z.core.$ZodType): boolean {
  return wireForms.get(schema)?.form === 'file'
}

export const id = z.int('编号必须是整数').check(z.positive('编号必须大于 0'))
/** How many one request may name. */
export const maxIds = 1000
export const ids = z.array(id).check(z.minLength(1, '请至少选择一项'), z.maxLength(maxIds, `一次最多处理 ${maxIds} 项`))
export const flag = z.boolean('请选择是或否')

/** A filter of a list, which may be given several times in a query: each value costs time with every row. */
export function few<T extends z.ZodMiniType>(item: T) {
  return z._default(z.array(item).check(z.maxLength(20, '一次最多给出 20 个值')), [])
}

/** A key that may be given several times in a query. */
export function many<T extends z.ZodMiniType>(item: T) {
  return z._default(z.array(item).check(z.maxLength(1000, '一次最多给出 1000 个值')), [])
}

export function count(max = 1_000_000_000) {
  return z.int('请输入整数').check(z.gte(0, '不能小于 0'), z.lte(max, `不能大于 ${max}`))
}

/** A code of an enumeration. */
export function code<C extends Record<string, number>>(
  codes: C,
  message = '不是允许的值',
): z.ZodMiniLiteral<CodeOf<C>> {
  return worded(z.literal(allCodes(codes), message), labelsOf(codes))
}

const words = z.registry<{ labels: Record<string, string> }>()

/** A schema whose values have labels: where changes are described, these stand for them. */
export function worded<S extends z.core.$ZodType>(schema: S, labels: Record<string, string>): S {
  words.add(schema, { labels })
  return schema
}

export function wordsOf(schema: z.core.$ZodType): Record<string, string> | undefined {
  return words.get(schema)?.labels
}

export function text(max: number, min = 0) {
  const tooShort = min > 1 ? `至少 ${min} 个字符` : '不能为空'
  return z.string('请输入文字').check(z.trim(), z.minLength(min, tooShort), z.maxLength(max, `最多 ${max} 个字符`))
}

export const minPasswordLength = 8

/** Never trimmed. The server also refuses common ones. */
export const password = z
  .string('请输入密码')
  .check(
    z.minLength(minPasswordLength, `密码至少 ${minPasswordLength} 个字符`),
    z.maxLength(128, '密码最多 128 个字符'),
  )

export const email = z
  .string('请输入邮箱')
  .check(z.trim(), z.maxLength(64, '邮箱最多 64 个字符'), z.regex(emailPattern, '请输入正确的邮箱地址'))

export const mobile = z.string('请输入手机号').check(z.regex(mobilePattern, '请输入正确的手机号码'))

/** A link target: a path of the site or http(s). Other schemes could run a script. */
export const href = z
  .string('请输入网址')
  .check(
    z.trim(),
    z.maxLength(255, '网址最多 255 个字符'),
    z.regex(/^(https?:\/\/[^\s]+|\/(?![/\\])[^\s]*|#[^\s]*|)$/i, '网址须以 / 、http:// 或 https:// 开头'),
  )

export const color = z
  .string('请输入颜色')
  .check(z.regex(/^(#[0-9a-f]{3,8}|[a-z]{0,20}|rgba?\([\d\s.,%]{1,40}\))$/i, '请输入正确的颜色'))

/** An optional key of a request, with the handler's default. */
export function or<T extends z.ZodMiniType>(schema: T, fallback: z.output<T>) {
  return z._default(schema, fallback as never)
}

export function listInput<S extends z.core.$ZodShape>(filters: S) {
  return z.object({ ...paging, ...filters })
}

export function page<K extends string, T extends z.ZodMiniType>(key: K, item: T) {
  return z.object({ total: count(), [key]: z.array(item) } as { total: ReturnType<typeof count> } & Record<
    K,
    z.ZodMiniArray<T>
  >)
}

/** A list's filter by time: free-form local times or days, from and to; either may be missing. */
export const period = many(text(40))

export const none = z.object({})
export const byId = z.object({ id })
export const byIds = z.object({ id: ids })

const paging = {
  page: or(z.int(), 0),
  size: or(z.int(), 0),
  wd: or(text(1000), ''),
  order: or(text(200), ''),
  field: many(text(64)),
}
