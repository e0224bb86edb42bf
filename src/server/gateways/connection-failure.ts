/** Why a server could not be reached, in the same words for mail and for payment gateways. */

export type ConnectionCause = 'unknownHost' | 'refused' | 'unreachable' | 'timeout' | 'closed' | 'certificate' | 'noTls'

/** Undefined if it says nothing about a connection. */
export function findConnectionCause(error: unknown): ConnectionCause | undefined {
  for (const { name, code, message } of chain(error)) {
    if (name === 'TimeoutError') return 'timeout'
    const cause = causeOf(code, message)
    if (cause) return cause
  }
  return undefined
}

/** The code is one of the operating system or of TLS. */
export function causeOf(code: string, message: string): ConnectionCause | undefined {
  if (/certificate|self-signed|altname|CERT_/i.test(`${message} ${code}`)) return 'certificate'
  if (/wrong version number|packet length|ERR_SSL|EPROTO\b|SSL routines/i.test(`${message} ${code}`)) return 'noTls'
  return codes[code]
}

const codes: Record<string, ConnectionCause | undefined> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
}

/** Tells the owner what is wrong with the way to a gateway, and what to do. */
export function explainConnection(gateway: string, error: unknown): string {
  const cause = findConnectionCause(error)
  return `连接不上${gateway}${cause ? `：${advice[cause]}` : '，请检查网络和接口地址'}`
}

const advice: Record<ConnectionCause, string> = {
  unknownHost: '找不到它的域名，请检查接口地址的拼写和服务器的 DNS',
  refused: '对方拒绝连接，请检查接口地址和端口',
  unreachable: '到对方的网络不通，请检查服务器的网络和接口地址',
  timeout: '没有响应，请检查接口地址，以及防火墙是否允许服务器访问外网',
  closed: '对方没有说明原因就断开了连接，请检查接口地址和端口',
  certificate: 'TLS 证书不受信任（自己签发、已过期或域名不符），请检查接口地址和服务器的时间',
  noTls: '对方不能使用 TLS，请检查接口地址是 http 还是 https',
}

interface Failure {
  name: string
  code: string
  message: string
}

/** An error and what it was caused by; an attempt for each address of a host is one of several causes. */
function chain(error: unknown): Failure[] {
  if (!(error instanceof Error)) return []
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const own = { name: error.name, code, message: error.message }
  const attempts: unknown[] = error instanceof AggregateError ? error.errors : []
  return [own, ...chain(error.cause), ...attempts.flatMap(chain)]
}
