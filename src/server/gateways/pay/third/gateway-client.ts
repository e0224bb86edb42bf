import { explainConnection } from '../../connection-failure.ts'
import { PayProviderError } from '../pay-provider.ts'
import type { Fields } from './fields.ts'

export interface GatewayAnswer {
  body: Record<string, unknown>
  /** The gateway's clock, if it tells. */
  date: number | undefined
}

interface GatewayRequest {
  /** Sent by POST; a request without it is a GET. */
  form?: Fields
  timeoutMs?: number
}

const maxBytes = 256 * 1024

/** Asks a gateway something and reads its JSON. Messages never hold the address: a key may stand in it. */
export async function askGateway(
  url: string,
  { form, timeoutMs = 10_000 }: GatewayRequest = {},
): Promise<GatewayAnswer> {
  const { response, text } = await send(url, {
    method: form ? 'POST' : 'GET',
    body: form ? new URLSearchParams(form) : null,
    headers: { accept: 'application/json', 'user-agent': 'wendou' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status >= 500) {
    throw new PayProviderError('unreachable', `支付网关暂时不可用（${response.status}）`, { isTemporary: true })
  }
  if (response.status >= 300 && response.status < 400) {
    throw new PayProviderError('bad-answer', '接口地址被转到了别处，请填写最终的地址（注意 http 与 https）')
  }
  const date = Date.parse(response.headers.get('date') ?? '')
  return { body: parseObject(text), date: Number.isFinite(date) ? date : undefined }
}

/** The address of a gateway without a slash at its end. */
export function gatewayAddress(text: string): string {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new PayProviderError('not-configured', '请填写第三方支付接口地址，如 https://pay.example.com')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

export function requireSetting(value: string, name: string): string {
  const text = value.trim()
  if (!text) throw new PayProviderError('not-configured', `请填写第三方支付的${name}`)
  return text
}

/** Refuses what a gateway answered. It may have done what it was asked for. */
export function badAnswer(message: string): PayProviderError {
  return new PayProviderError('bad-answer', message, { isTemporary: true })
}

async function send(url: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, init)
    return { response, text: await readText(response) }
  } catch (error) {
    if (error instanceof PayProviderError) throw error
    throw new PayProviderError('unreachable', explainConnection('支付网关', error), { isTemporary: true, cause: error })
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) throw badAnswer('支付网关的回答过长')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text)
  if (isObject(value)) return value
  throw badAnswer('看不懂支付网关的回答，请检查接口地址：应是网关网站的地址，如 https://pay.example.com')
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
