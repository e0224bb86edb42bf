import type { Readable } from 'node:stream'
import { createTransport, type Transporter } from 'nodemailer'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'

export interface Message {
  to: string
  subject: string
  text: string
  html: string
  /** The same at every attempt: a recipient who gets it twice can tell. */
  id?: string
}

/** The mail server's response. `retryable`: a later attempt may succeed. */
export type Delivery = { accepted: true } | { accepted: false; reason: string; retryable: boolean }

export interface Mail {
  /**
   * Resolves when the mail server has accepted or refused the message. `stop` aborts it as long as the server does not have
   * the whole message, which is then not sent; after that only the server's response counts.
   */
  send(settings: Settings, message: Message, stop?: AbortSignal): Promise<Delivery>
}

const timeoutMs = 15_000

export const smtpMail: Mail = {
  async send(settings, { id, to, ...message }, stop) {
    assertMailEnabled(settings)
    const { email, system } = settings
    const transport = createTransport({
      host: email.host,
      port: email.port,
      secure: email.is_tls && email.port === 465,
      requireTLS: email.is_tls,
      ignoreTLS: !email.is_tls,
      auth: email.password ? { user: email.username, pass: email.password } : undefined,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const stopping = abortable(transport, stop)
    const from = { name: toSingleLine(email.from_name || system.sitename), address: email.username }
    try {
      const sent = transport.sendMail({
        ...message,
        from,
        // An object, as a string would be parsed as a list.
        to: { name: '', address: to },
        subject: toSingleLine(message.subject),
        ...(id && { messageId: `<${id}@${getHost(email.username)}>` }),
      })
      await Promise.race([sent, stopping.stopped])
      return { accepted: true }
    } catch (error) {
      return { accepted: false, reason: describeError(error), retryable: isTemporary(error) }
    } finally {
      stopping.release()
      transport.close()
    }
  },
}

/** `stopped` rejects if the abort comes in time: the message is then cut off, or not sent at all. */
function abortable(transport: Transporter, stop?: AbortSignal): { stopped: Promise<never>; release(): void } {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const reason = Object.assign(new Error('stopped'), { code: 'ESTOPPED' })
  let content: Readable | undefined
  const end = () => {
    // Read to its end, it is with the server.
    if (content?.readableEnded) return
    content?.destroy(reason)
    reject(reason)
  }
  transport.use('stream', ({ message }, go) => {
    message.processFunc((stream) => {
      content = stream
      if (stop?.aborted) stream.destroy(reason)
      return stream
    })
    go()
  })
  stop?.addEventListener('abort', end)
  if (stop?.aborted) end()
  return { stopped, release: () => stop?.removeEventListener('abort', end) }
}

export function assertMailEnabled(settings: Settings): void {
  if (!isMailEnabled(settings)) throw errors.mail.off()
}

export function isMailEnabled({ email }: Settings): boolean {
  return email.enable && email.host !== ''
}

/** Prevents header injection by line breaks. */
function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

function getHost(address: string): string {
  return /@([\w.-]+)$/.exec(address)?.[1] ?? 'localhost'
}

const reasons: Record<string, string> = {
  EAUTH: '邮箱用户名或密码不正确',
  ESOCKET: '连接不上邮件服务器，请检查服务器地址、端口和 TLS 设置',
  ECONNECTION: '连接不上邮件服务器，请检查服务器地址、端口和 TLS 设置',
  EDNS: '找不到邮件服务器，请检查服务器地址',
  ETIMEDOUT: '邮件服务器没有响应',
  EENVELOPE: '收件或发件地址被邮件服务器拒绝',
  ETLS: '邮件服务器不支持 TLS 或证书无效',
  ESTOPPED: '网站正在停止，邮件没有发出',
}

/** With the server's own reply, but without addresses, as reasons are logged. */
function describeError(error: unknown): string {
  const { code, response } = parseSmtpError(error)
  const reason = reasons[code] ?? '邮件服务器拒绝了这封邮件'
  const reply = toSingleLine(response)
    .replace(/\S+@\S+/g, '…')
    .slice(0, 200)
  return reply ? `${reason}（服务器答复：${reply}）` : reason
}

const temporaryCodes = new Set(['ESOCKET', 'ECONNECTION', 'EDNS', 'ETIMEDOUT', 'ETLS', 'ESTOPPED'])

/** 4xx is temporary, 5xx permanent; without a reply code, the connection failed. */
function isTemporary(error: unknown): boolean {
  const { code, replyCode } = parseSmtpError(error)
  return replyCode > 0 ? replyCode < 500 : temporaryCodes.has(code)
}

function parseSmtpError(error: unknown): { code: string; response: string; replyCode: number } {
  if (!(error instanceof Error)) return { code: '', response: '', replyCode: 0 }
  return {
    code: 'code' in error ? String(error.code) : '',
    response: 'response' in error && typeof error.response === 'string' ? error.response : '',
    replyCode: 'responseCode' in error ? Number(error.responseCode) || 0 : 0,
  }
}
