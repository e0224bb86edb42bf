import type { KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { PayProviderError } from '../pay-provider.ts'
import { failureOf, ResultCode } from './failures.ts'
import { isSignedBy } from './signature.ts'

const Result = z.looseObject({
  code: z.string(),
  msg: z.optional(z.string()),
  sub_code: z.optional(z.string()),
  sub_msg: z.optional(z.string()),
})

/**
 * What a method answered. Its signature covers the inner object exactly as it was sent, with its escaped slashes, so that
 * object is cut out of the text and verified before anything in it is believed. Errors of the gateway itself come unsigned.
 */
export function readAnswer(text: string, method: string, publicKey: KeyObject): Record<string, unknown> {
  const members = rawMembers(text)
  const inner = members?.get(`${method.replaceAll('.', '_')}_response`) ?? members?.get('error_response')
  if (!members || inner === undefined) throw unreadable()
  const { success, data: result } = z.safeParse(Result, JSON.parse(inner))
  if (!success) throw unreadable()
  if (result.code !== ResultCode.Success && result.code !== ResultCode.BusinessFailure) throw failureOf(result)

  const signature: unknown = JSON.parse(members.get('sign') ?? 'null')
  if (typeof signature !== 'string' || !isSignedBy(publicKey, inner, signature)) throw wronglySigned()
  if (result.code === ResultCode.BusinessFailure) throw failureOf(result)
  return result
}

function wronglySigned(): PayProviderError {
  const words =
    '支付宝的回答没有通过验签。请检查“支付宝公钥”：应填开放平台显示的支付宝公钥，不是应用公钥，并且属于这个应用（证书方式：重新下载支付宝公钥证书）'
  return new PayProviderError('bad-answer', words, { isTemporary: true })
}

export function unreadable(cause?: unknown): PayProviderError {
  return new PayProviderError('bad-answer', '看不懂支付宝的回答', { isTemporary: true, cause })
}

const tokenPattern = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

/** The members of a JSON object, each with its value as it is written. Undefined for anything else, or if one is there twice. */
export function rawMembers(text: string): Map<string, string> | undefined {
  if (!isJsonObject(text)) return undefined
  const members = new Map<string, string>()
  let [depth, from] = [0, 0]
  let key: string | undefined
  for (const { 0: token, index } of text.matchAll(tokenPattern)) {
    if (token === '}' || token === ']') depth -= 1
    if (key !== undefined && ((depth === 1 && token === ',') || depth === 0)) {
      if (members.has(key)) return undefined
      members.set(key, text.slice(from, index).trim())
      key = undefined
    } else if (depth === 1 && key === undefined && token.startsWith('"')) {
      key = String(JSON.parse(token))
      from = text.indexOf(':', index + token.length) + 1
    }
    if (token === '{' || token === '[') depth += 1
  }
  return members
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
