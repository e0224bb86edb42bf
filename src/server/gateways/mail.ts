import { createTransport } from 'nodemailer'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'

export interface Message {
  to: string
  subject: string
  text: string
  html: string
}

export interface Mail {
  /** Resolves when the mail server has taken the message; otherwise throws with the reason in words. */
  send(settings: Settings, message: Message): Promise<void>
}

const patienceMs = 15_000

export const smtpMail: Mail = {
  async send({ email, system }, message) {
    if (!email.enable || !email.host) throw errors.mail.off()
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
    try {
      const name = email.from_name || system.sitename
      await transport.sendMail({ ...message, from: { name, address: email.username } })
    } catch (error) {
      throw errors.mail.failed(reasonOf(error))
    } finally {
      transport.close()
    }
  },
}

const reasons: Record<string, string> = {
  EAUTH: '邮箱用户名或密码不正确',
  ESOCKET: '连接不上邮件服务器，请检查服务器地址、端口和 TLS 设置',
  ECONNECTION: '连接不上邮件服务器，请检查服务器地址、端口和 TLS 设置',
  EDNS: '找不到邮件服务器，请检查服务器地址',
  ETIMEDOUT: '邮件服务器没有响应',
  EENVELOPE: '收件或发件地址被邮件服务器拒绝',
  ETLS: '邮件服务器不支持 TLS 或证书无效',
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? '邮件服务器拒绝了这封邮件'
}
