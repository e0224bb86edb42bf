import type { Readable } from 'node:stream'
import { createTransport, type Transporter } from 'nodemailer'
import { errors } from '#shared/errors.ts'
import type { Settings } from '#shared/settings.ts'
import { explainFailure, type MailFailure, toSingleLine } from './mail-failure.ts'

export interface Message {
  to: string
  subject: string
  text: string
  html: string
  /** The same at every attempt: a recipient who gets it twice can tell. */
  id?: string
  /** Where mail programs let the recipient end such mails with one click. */
  unsubscribe?: string
}

/** The mail server's response. */
export type Delivery = { accepted: true } | ({ accepted: false } & MailFailure)

export interface Mail {
  /**
   * Resolves when the mail server has accepted or refused the message. `stop` aborts it as long as the server does not have
   * the whole message, which is then not sent; after that only the server's response counts.
   */
  send(settings: Settings, message: Message, stop?: AbortSignal): Promise<Delivery>
}

const timeoutMs = 15_000

export const smtpMail: Mail = {
  async send(settings, { id, to, unsubscribe, ...message }, stop) {
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
        ...(unsubscribe && { headers: unsubscribeHeaders(unsubscribe) }),
        ...(id && { messageId: `<${id}@${getHost(email.username)}>` }),
      })
      await Promise.race([sent, stopping.stopped])
      return { accepted: true }
    } catch (error) {
      return { accepted: false, ...explainFailure(error, email) }
    } finally {
      stopping.release()
      transport.close()
    }
  },
}

/** RFC 8058: the mail program posts to the address, with no cookie and no page. */
function unsubscribeHeaders(address: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
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

function getHost(address: string): string {
  return /@([\w.-]+)$/.exec(address)?.[1] ?? 'localhost'
}
