import { runInNewContext } from 'node:vm'
import type { Settings } from '#shared/settings.ts'
import type { OutboundResponse } from '../../outbound/request.ts'

const maxMatchMs = 50
const maxMatchedLength = 8192

type SuccessTest = Pick<Settings['sms'], Extract<keyof Settings['sms'], `http_success_${string}`>>

/** Whether an answer means that the message was accepted. Every test that the owner has set must hold. */
export function isAccepted(test: SuccessTest, { status, body }: OutboundResponse): boolean {
  if (status !== test.http_success_status) return false
  const text = body.toString('utf8')
  if (test.http_success_pointer && readPointer(text, test.http_success_pointer) !== test.http_success_value)
    return false
  return !test.http_success_pattern || matches(test.http_success_pattern, text.slice(0, maxMatchedLength))
}

/** RFC 6901, on a text that need not be JSON. The value as text; undefined if there is none. */
function readPointer(text: string, pointer: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}

/** With an end to its time: an expression may take for ever with the text that a stranger answers. */
function matches(pattern: string, text: string): boolean {
  try {
    return runInNewContext('new RegExp(pattern).test(text)', { pattern, text }, { timeout: maxMatchMs }) === true
  } catch {
    return false
  }
}
