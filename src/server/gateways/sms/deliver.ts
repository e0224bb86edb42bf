import { OutboundError } from '../outbound/outbound-error.ts'
import { type OutboundRequest, type OutboundResponse, requestOutside } from '../outbound/request.ts'
import { refused, type SmsOutcome } from './sms-driver.ts'

const maxAnswerBytes = 64 * 1024

/** Failures before anything was sent: the message is certainly not on its way. */
const neverSent = new Set<unknown>(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const isTlsFailure = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/

/** Sends one request, and lets the driver read the answer. It is never sent again. */
export async function deliver(
  address: URL | string,
  request: OutboundRequest,
  readAnswer: (response: OutboundResponse) => SmsOutcome,
): Promise<SmsOutcome> {
  try {
    const response = await requestOutside(address, { maxBytes: maxAnswerBytes, ...request })
    return readAnswer(response)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return isNeverSent(error) ? refused(error.message) : { kind: 'unknown', reason: error.message }
  }
}

/** An answer in JSON; undefined for anything else. */
export function parseAnswer({ body }: OutboundResponse): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A gateway that fails may have passed the message on; any other answer that cannot be read is a refusal. */
export function unreadable({ status }: OutboundResponse): SmsOutcome {
  const reason = `服务商的回答无法识别（HTTP ${status}），请检查接口地址`
  return status >= 500 ? { kind: 'unknown', reason } : refused(reason)
}

/** The provider's own words, short enough for a list, with what they probably mean. */
export function explain(code: unknown, message: unknown, advice: Record<string, string> = {}): string {
  const known = advice[text(code)]
  const words = [text(code), text(message)].filter(Boolean).join('：').slice(0, 300)
  return known ? `${known}（${words}）` : words || '服务商拒绝了这条短信'
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function isNeverSent({ reason, cause }: OutboundError): boolean {
  if (reason === 'address' || reason === 'private') return true
  if (reason !== 'unreachable') return false
  const causes = cause instanceof AggregateError ? cause.errors : [cause]
  return causes.some((each: { code?: unknown } | undefined) => {
    const code = each?.code
    return neverSent.has(code) || (typeof code === 'string' && isTlsFailure.test(code))
  })
}
