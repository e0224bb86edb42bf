import * as z from 'zod/mini'
import { explainConnection } from '../../connection-failure.ts'
import { type PayEnvironment, PayProviderError } from '../pay-provider.ts'
import type { AlipayAccount } from './account.ts'
import { readAnswer, unreadable } from './answer.ts'
import { toBeijingTime } from '../beijing-time.ts'
import { signText, textToSign } from './signature.ts'

export interface AlipayClient {
  /** Calls a method, and gives its verified answer. Throws `PayProviderError`. */
  call<S extends z.ZodMiniType>(method: string, content: Content, reply: S, urls?: Urls): Promise<z.output<S>>
  /** A signed address that begins a payment in the buyer's browser. */
  pageUrl(method: string, content: Content, urls: Urls): string
  download(url: string): Promise<Buffer>
  /** How far our clock is ahead of Alipay's, by the last answer. */
  clockDifferenceMs(): number
}

export type Content = Record<string, string>

interface Urls {
  notifyUrl?: string
  returnUrl?: string
}

const defaultTimeoutMs = 10_000
const maxAnswerBytes = 1_048_576
const maxFileBytes = 64 * 1_048_576

export function alipayClient(
  account: AlipayAccount,
  { now, timeoutMs = defaultTimeoutMs }: PayEnvironment,
): AlipayClient {
  let clockDifferenceMs = 0
  const signal = () => AbortSignal.timeout(timeoutMs)

  const signed = (method: string, content: Content, { notifyUrl = '', returnUrl = '' }: Urls): URLSearchParams => {
    const parameters: Content = {
      app_id: account.appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: toBeijingTime(now()),
      version: '1.0',
      notify_url: notifyUrl,
      return_url: returnUrl,
      biz_content: JSON.stringify(content),
      ...account.certificateNumbers,
    }
    const filled = Object.entries(parameters).filter(([, value]) => value !== '')
    return new URLSearchParams([...filled, ['sign', signText(textToSign(filled), account.privateKey)]])
  }

  return {
    async call(method, content, reply, urls = {}) {
      const url = new URL(account.gateway)
      url.searchParams.set('charset', 'utf-8')
      const response = await request(url, { method: 'POST', body: signed(method, content, urls), signal: signal() })
      const bytes = await readBytes(response, maxAnswerBytes)
      const date = Date.parse(response.headers.get('date') ?? '')
      clockDifferenceMs = Number.isNaN(date) ? 0 : now() - date
      const { success, data } = z.safeParse(reply, readAnswer(decode(bytes), method, account.publicKey))
      if (!success) throw unreadable()
      return data
    },
    pageUrl(method, content, urls) {
      const url = new URL(account.gateway)
      url.search = signed(method, content, urls).toString()
      return url.href
    },
    download: async (url) => readBytes(await request(new URL(url), { signal: signal() }), maxFileBytes),
    clockDifferenceMs: () => clockDifferenceMs,
  }
}

async function request(url: URL, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { ...init, redirect: 'error' })
  } catch (error) {
    throw unreachable(error)
  }
  if (response.ok) return response
  // An unread body would keep the connection open.
  await response.body?.cancel()
  throw new PayProviderError('bad-answer', `支付宝回答 HTTP ${response.status}`, { isTemporary: true })
}

async function readBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      // Leaving the loop closes the connection.
      if (bytes > maxBytes) throw unreadable()
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof PayProviderError ? error : unreachable(error)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw unreadable(error)
  }
}

function unreachable(cause: unknown): PayProviderError {
  return new PayProviderError('unreachable', explainConnection('支付宝', cause), { isTemporary: true, cause })
}
