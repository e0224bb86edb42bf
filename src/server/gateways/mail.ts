import type { Readable } from 'node:stream'
import { createTransport, type Transporter } from 'nodemailer'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'

export interface Message {
  to: string
  subject: string
  text: string
  html: string
  /** The same for one letter however often it is sent: who gets it twice can tell. */
  id?: string
}

/** What the mail server said. `again`: another time it may say otherwise. */
export type Delivery = { taken: true } | { taken: false; reason: string; again: boolean }

export interface Mail {
  /**
   * Resolves when the mail server has taken or refused the message. `stop` ends it as long as the server does not have
   * all of the message, which is then not sent; after that only the server's answer does.
   */
  send(settings: Settings, message: Message, stop?: AbortSignal): Promise<Delivery>
}

const patienceMs = 15_000

export const smtpMail: Mail = {
  async send(settings, { id, to, ...message }, stop) {
    requireMail(settings)
    const { email, system } = settings
    const transport = createTransport({
      host: email.host,
      port: email.port,
      secure: email.is_tls && email.port === 465,
      requireTLS: email.is_tls,
      ignoreTLS: !email.is_tls,
      auth: email.password ? { user: email.username, pass: email.password } : undefined,
      connectionTimeout: patienceMs,
      greetingTimeout: patienceMs,
      socketTimeout: patienceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const stopping = stoppable(transport, stop)
    const from = { name: oneLine(email.from_name || system.sitename), address: email.username }
    try {
      const sent = transport.sendMail({
        ...message,
        from,
        // Addresses as objects: a text would be read as a list.
        to: { name: '', address: to },
        subject: oneLine(message.subject),
        ...(id && { messageId: `<${id}@${hostOf(email.username)}>` }),
      })
      await Promise.race([sent, stopping.stopped])
      return { taken: true }
    } catch (error) {
      return { taken: false, reason: reasonOf(error), again: mayPass(error) }
    } finally {
      stopping.release()
      transport.close()
    }
  },
}

/** `stopped` rejects at a stop that comes in time: the message then breaks off before its end, or never begins. */
function stoppable(transport: Transporter, stop?: AbortSignal): { stopped: Promise<never>; release(): void } {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const reason = Object.assign(new Error('stopped'), { code: 'ESTOPPED' })
  let letter: Readable | undefined
  const end = () => {
    // Read to its end means handed over.
    if (letter?.readableEnded) return
    letter?.destroy(reason)
    reject(reason)
  }
  transport.use('stream', ({ message }, go) => {
    message.processFunc((written) => {
      letter = written
      if (stop?.aborted) written.destroy(reason)
      return written
    })
    go()
  })
  stop?.addEventListener('abort', end)
  if (stop?.aborted) end()
  return { stopped, release: () => stop?.removeEventListener('abort', end) }
}

/** Who cannot get a mail is told so at once. */
export function requireMail({ email }: Settings): void {
  if (!email.enable || !email.host) throw errors.mail.off()
}

/** A line break would begin another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

function hostOf(address: string): string {
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

/** In words, with what the server itself said, but for addresses: reasons get into logs. */
function reasonOf(error: unknown): string {
  const { code, response } = faultOf(error)
  const reason = reasons[code] ?? '邮件服务器拒绝了这封邮件'
  const said = oneLine(response)
    .replace(/\S+@\S+/g, '…')
    .slice(0, 200)
  return said ? `${reason}（服务器答复：${said}）` : reason
}

const passing = new Set(['ESOCKET', 'ECONNECTION', 'EDNS', 'ETIMEDOUT', 'ETLS', 'ESTOPPED'])

/** 4xx means not now, 5xx never; without an answer, it was the line. */
function mayPass(error: unknown): boolean {
  const { code, answer } = faultOf(error)
  return answer > 0 ? answer < 500 : passing.has(code)
}

function faultOf(error: unknown): { code: string; response: string; answer: number } {
  if (!(error instanceof Error)) return { code: '', response: '', answer: 0 }
  return {
    code: 'code' in error ? String(error.code) : '',
    response: 'response' in error && typeof error.response === 'string' ? error.response : '',
    answer: 'responseCode' in error ? Number(error.responseCode) || 0 : 0,
  }
}
