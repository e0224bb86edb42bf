import * as z from 'zod/mini'
import { OutboundError } from '../outbound/outbound-error.ts'
import { type OutboundRequest, requestOutside } from '../outbound/request.ts'
import { OauthError } from './oauth-provider.ts'

/** The provider's own address, or the one that the owner has set in its place. */
export interface Gateway {
  base: string
  isOwn: boolean
}

export function toGateway(setting: string, official: string): Gateway {
  const own = setting.trim().replace(/\/+$/, '')
  return { base: own || official, isOwn: own !== '' }
}

interface Question {
  query?: Record<string, string>
  /** Posted as a form. */
  form?: Record<string, string>
  headers?: Record<string, string>
}

/** The provider's answer, whatever form it has; refusals are for the caller to see. */
export async function ask(gateway: Gateway, path: string, { query, form, headers }: Question): Promise<unknown> {
  const request: OutboundRequest = {
    headers: { accept: 'application/json', ...headers },
    allowsPrivate: gateway.isOwn,
    ...(form && {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    }),
  }
  try {
    const { body } = await requestOutside(`${gateway.base}${path}${toSearch(query)}`, request)
    return parseAnswer(body.toString())
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new OauthError('failed', error.message, error)
  }
}

/**
 * JSON, also under another name, also as `callback( {…} );`; or a query string. Anything else is an empty object.
 */
export function parseAnswer(text: string): unknown {
  const trimmed = text.trim()
  const json = /^\w+\(\s*([\s\S]*?)\s*\)\s*;?$/.exec(trimmed)?.[1] ?? trimmed
  try {
    return JSON.parse(json)
  } catch {
    return /^[\w.-]+=[^<>\s]*$/.test(trimmed) ? Object.fromEntries(new URLSearchParams(trimmed)) : {}
  }
}

/** The part of an answer that is needed, or what the provider says instead. */
export function readAnswer<S extends z.ZodMiniType>(schema: S, answer: unknown): z.output<S> {
  const { success, data } = z.safeParse(schema, answer)
  if (!success) throw new OauthError('failed', '看不懂对方的回答')
  return data
}

/** A name that a person is known by at a provider. Numbers are used as text. */
export const openid = z
  .pipe(
    z.union([z.string(), z.int().check(z.positive())]),
    z.transform((value) => String(value)),
  )
  .check(z.refine((value) => value.length > 0 && value.length <= 200))

/** What an answer may leave out, or give in another form. */
export const orElse = z.catch

export const optionalText = orElse(z.string(), '')

export const accessToken = z.string().check(z.minLength(1))

/** The refusal of an answer of the usual form; it comes with status 200 too. */
export function assertAccepted(answer: unknown, isStale: (error: string, code: number) => boolean): void {
  const { success, data } = z.safeParse(Refusal, answer)
  if (!success) return
  const stale = isStale(data.error, data.error_code)
  throw new OauthError(stale ? 'stale' : 'failed', `对方拒绝了：${data.error}（${data.error_code}）`)
}

const Refusal = z.object({
  error: z.pipe(
    z.union([z.string(), z.number()]),
    z.transform((value) => String(value).slice(0, 200)),
  ),
  error_code: orElse(z.number(), 0),
})

function toSearch(query: Record<string, string> | undefined): string {
  return query ? `?${new URLSearchParams(query)}` : ''
}
