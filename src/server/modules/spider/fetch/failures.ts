import type { SpiderFailure } from '#shared/spider.ts'
import type { OutboundError, OutboundFailure } from '#server/gateways/outbound/outbound-error.ts'

export interface FetchFailure {
  kind: 'failed'
  reason: SpiderFailure
  /** The HTTP status; 0 when there was no answer. */
  status: number
  detail: string
  /** Not to be tried earlier. */
  retryAt?: number
  /** Another attempt may succeed. */
  isTemporary: boolean
}

/** Thrown where a request is not admitted, or its content not accepted. */
export class FetchRefusal extends Error {
  readonly reason: SpiderFailure
  /** For what is only refused now. */
  readonly retryAt: number | undefined

  constructor(reason: SpiderFailure, detail = '', retryAt?: number) {
    super(detail)
    this.reason = reason
    this.retryAt = retryAt
  }
}

/** Something was sent before it was refused: it counts as a try, or it would be sent again and again. */
export function toSentRefusal(refusal: FetchRefusal): FetchRefusal {
  const { reason, message, retryAt } = refusal
  return reason === 'waiting' ? new FetchRefusal('rate_limited', message, retryAt) : refusal
}

const outboundFailures: Record<OutboundFailure, SpiderFailure> = {
  address: 'address',
  private: 'private',
  unreachable: 'unreachable',
  timeout: 'timeout',
  'too-long': 'too_large',
  redirects: 'redirects',
  downgrade: 'insecure_redirect',
  encoding: 'encoding',
  inflated: 'too_compressed',
  malformed: 'malformed',
  interrupted: 'interrupted',
  aborted: 'internal',
}

/** Failures of the server or of the network between: they count against the host, and pass. */
const troubles = new Set<OutboundFailure>(['unreachable', 'timeout', 'malformed', 'interrupted'])

export function isTrouble({ reason }: OutboundError): boolean {
  return troubles.has(reason)
}

export function toFetchFailure(error: OutboundError, status: number): FetchFailure {
  const { cause } = error
  const detail = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return { kind: 'failed', reason: outboundFailures[error.reason], status, detail, isTemporary: isTrouble(error) }
}

export function toRefusedFailure({ reason, message, retryAt }: FetchRefusal, status: number): FetchFailure {
  const failure: FetchFailure = { kind: 'failed', reason, status, detail: message, isTemporary: retryAt !== undefined }
  return retryAt === undefined ? failure : { ...failure, retryAt }
}

/** What a status other than success means. */
export function toStatusFailure(status: number): FetchFailure {
  const isTemporary = status === 408 || status === 429 || status >= 500
  return { kind: 'failed', reason: toStatusReason(status), status, detail: '', isTemporary }
}

const statusReasons: Record<number, SpiderFailure> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  407: 'forbidden',
  408: 'timeout',
  410: 'not_found',
  429: 'rate_limited',
  451: 'forbidden',
}

function toStatusReason(status: number): SpiderFailure {
  return statusReasons[status] ?? (status >= 500 ? 'server_error' : 'status')
}
