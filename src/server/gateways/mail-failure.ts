import type { Settings } from '#shared/settings.ts'
import { causeOf, type ConnectionCause } from './connection-failure.ts'

/** Why a mail could not be sent: what an owner reads, and the setting to look at. */
export interface MailFailure {
  reason: string
  /** A later attempt may succeed. */
  retryable: boolean
  field?: keyof Settings['email']
}

type Email = Settings['email']

interface SmtpError {
  /** Of nodemailer. */
  code: string
  /** Of the operating system or of TLS. */
  originalCode: string
  message: string
  command: string
  /** The server's reply, and its code. */
  response: string
  replyCode: number
}

export function explainFailure(thrown: unknown, email: Email): MailFailure {
  const error = parseSmtpError(thrown)
  const { field, advice } = causes[findCause(error)]
  const reason = typeof advice === 'string' ? advice : advice(email)
  // Without addresses, as reasons are logged.
  const reply = toSingleLine(error.response)
    .replace(/\S+@\S+/g, '…')
    .slice(0, 200)
  return {
    reason: reply ? `${reason}（服务器答复：${reply}）` : reason,
    retryable: isTemporary(error),
    ...(field && { field }),
  }
}

/** Prevents header injection by line breaks. */
export function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

type Cause = ConnectionCause | 'noSmtp' | 'credentials' | 'sender' | 'recipient' | 'stopped' | 'message'

const causes: Record<Cause, { field?: keyof Email; advice: string | ((email: Email) => string) }> = {
  unknownHost: { field: 'host', advice: ({ host }) => `找不到邮件服务器 ${host}，请检查服务器地址的拼写` },
  refused: {
    field: 'port',
    advice: ({ host, port }) =>
      `连接不上邮件服务器：${host} 的 ${port} 端口拒绝连接。请检查地址和端口，使用 TLS 时一般是 465 或 587`,
  },
  unreachable: {
    field: 'host',
    advice: ({ host }) => `连接不上邮件服务器：到 ${host} 的网络不通，请检查服务器地址和本机的网络`,
  },
  timeout: {
    field: 'port',
    advice: ({ port, is_tls }) =>
      port === 465 && !is_tls
        ? '邮件服务器没有响应：465 端口要打开“使用 TLS”'
        : `邮件服务器没有响应，请检查地址和端口。云服务器常常封锁 25 端口，可以换成 465 或 587${port === 465 ? '' : '；端口要求一开始就加密时请用 465'}`,
  },
  closed: {
    field: 'port',
    advice: '连接不上邮件服务器：它没有说明原因就断开了连接，请检查端口和 TLS 设置',
  },
  certificate: {
    field: 'is_tls',
    advice: 'TLS 证书不受信任（自己签发、已过期或域名不符），请把服务器地址改成证书上的域名，或请服务商更换证书',
  },
  noTls: {
    field: 'is_tls',
    advice: '这个端口不能使用 TLS，请换成支持 TLS 的端口（一般是 465 或 587），或关闭“使用 TLS”',
  },
  noSmtp: { field: 'port', advice: '对方不像是邮件服务器，请检查服务器地址和端口' },
  credentials: {
    field: 'password',
    advice: '邮箱用户名或密码不正确。QQ、163 等邮箱要填写在邮箱设置里生成的授权码，不是登录密码',
  },
  sender: {
    field: 'username',
    advice: '发件地址被邮件服务器拒绝，请把用户名填写为您在这个服务器上的完整邮箱地址',
  },
  recipient: { field: 'test_email', advice: '收件地址被邮件服务器拒绝，请检查收件地址是否正确' },
  stopped: { advice: '网站正在停止，邮件没有发出' },
  message: { advice: '邮件服务器拒绝了这封邮件' },
}

const authReplies = new Set([530, 534, 535, 538])
const speaksOfSender = /sender|mail from|from address|发件人|发信/i

function findCause(error: SmtpError): Cause {
  const { code, originalCode, message, command, response, replyCode } = error
  if (code === 'ESTOPPED') return 'stopped'
  if (code === 'EAUTH' || authReplies.has(replyCode)) return 'credentials'
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    // Some servers look at the sender only when they know the recipient, or the whole message.
    if (command === 'MAIL FROM' || message.startsWith('Invalid sender') || speaksOfSender.test(response))
      return 'sender'
    return code === 'EENVELOPE' ? 'recipient' : 'message'
  }
  return causeOf(originalCode, message) ?? smtpCauses[code] ?? causeOf(code, '') ?? 'message'
}

/** The keys are codes of nodemailer. */
const smtpCauses: Record<string, Cause | undefined> = {
  ETLS: 'noTls',
  EDNS: 'unknownHost',
  EPROTOCOL: 'noSmtp',
  ESOCKET: 'closed',
  ECONNECTION: 'closed',
}

const temporaryCodes = new Set(['ESOCKET', 'ECONNECTION', 'EDNS', 'ETIMEDOUT', 'ETLS', 'ESTOPPED'])

/** 4xx is temporary, 5xx permanent; without a reply code, the connection failed. */
function isTemporary({ code, replyCode }: SmtpError): boolean {
  return replyCode > 0 ? replyCode < 500 : temporaryCodes.has(code)
}

function parseSmtpError(error: unknown): SmtpError {
  const fields = new Map<string, unknown>(
    error instanceof Error ? [...Object.entries(error), ['message', error.message]] : [],
  )
  const textOf = (key: string) => {
    const text = fields.get(key)
    return typeof text === 'string' ? text : ''
  }
  return {
    code: textOf('code'),
    originalCode: textOf('originalCode'),
    message: textOf('message'),
    command: textOf('command'),
    response: textOf('response'),
    replyCode: Number(fields.get('responseCode')) || 0,
  }
}
