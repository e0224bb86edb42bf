export type OutboundFailure =
  | 'address'
  | 'private'
  | 'unreachable'
  | 'timeout'
  | 'too-long'
  | 'redirects'
  | 'downgrade'
  | 'encoding'
  | 'inflated'
  | 'malformed'
  | 'interrupted'
  | 'aborted'

/** The message never holds the address: secrets may stand in its query. */
export class OutboundError extends Error {
  readonly reason: OutboundFailure

  constructor(reason: OutboundFailure, cause?: unknown) {
    super(explanations[reason], { cause })
    this.name = 'OutboundError'
    this.reason = reason
  }
}

const explanations: Record<OutboundFailure, string> = {
  address: '地址不对：只能是 http 或 https 开头的网址，且不带用户名和密码',
  private: '这是内网地址，为安全起见不能访问',
  unreachable: '连接不上，请检查网络和地址',
  timeout: '对方迟迟没有回答',
  'too-long': '对方的回答过长',
  redirects: '对方转址次数过多',
  downgrade: '对方从 https 转到了不安全的 http 地址',
  encoding: '对方用了不支持的压缩方式',
  inflated: '对方的回答解压后异常膨胀',
  malformed: '对方的回答已损坏',
  interrupted: '对方的回答中途断开，内容不完整',
  aborted: '请求已取消',
}

/** Why a request may have been stopped from this side. */
export interface StopSignals {
  deadline: AbortSignal
  /** The caller's own. */
  signal?: AbortSignal | undefined
}

/** What a failure of Node's means; `otherwise` is for a failure of the connection itself. */
export function toOutboundError(
  error: unknown,
  { deadline, signal }: StopSignals,
  otherwise: OutboundFailure = 'unreachable',
): OutboundError {
  if (error instanceof OutboundError) return error
  if (signal?.aborted) return new OutboundError('aborted', error)
  if (deadline.aborted) return new OutboundError('timeout', error)
  const codes = [error, ...(error instanceof AggregateError ? (error.errors as unknown[]) : [])].map(getCode)
  if (codes.includes('ERR_IP_BLOCKED')) return new OutboundError('private', error)
  return new OutboundError(codes.some((code) => unreadable.test(code)) ? 'malformed' : otherwise, error)
}

/** Of the HTTP parser, of zlib and of Brotli. */
const unreadable = /^(HPE_|Z_|ERR_BROTLI|ERR__ERROR)/

function getCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
