import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  subject: string
  text: string
  html: string
  /** By their names in lower case. */
  headers: Record<string, string>
}

export interface Mailbox {
  /** The site's settings for sending through this server. */
  settings: Record<string, string>
  mails(): ReceivedMail[]
  /** The newest mail to an address. */
  latest(to: string): ReceivedMail
  close(): Promise<void>
}

export const mailPassword = 'password-of-the-mail-server'

/** An SMTP server that keeps every mail. Encrypted only if the site insists, with a self-signed certificate. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === mailPassword ? done(null, { user: username }) : done(new Error('wrong password')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        mails.push(parseMail(Buffer.concat(chunks), session))
        done()
      })
    },
  })
  // A client may hang up in the middle of the greeting.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo

  return {
    settings: {
      'email.enable': 'true',
      'email.is_tls': 'false',
      'email.host': '127.0.0.1',
      'email.port': String(port),
      'email.username': 'wendou@example.com',
      'email.password': mailPassword,
    },
    mails: () => [...mails],
    latest(to) {
      const mail = mails.findLast((candidate) => candidate.to.includes(to))
      if (!mail) throw new Error(`no mail to ${to}`)
      return mail
    },
    close: () => new Promise((done) => server.close(() => done())),
  }
}

function parseMail(source: Buffer, { envelope }: SMTPServerSession): ReceivedMail {
  const message = parsePart(source.toString('latin1'))
  const boundary = /boundary="([^"]+)"/.exec(message.headers['content-type'] ?? '')?.[1] ?? ''
  const parts = message.body.split(`--${boundary}`).slice(1, -1).map(parsePart)
  const bodyOf = (type: string) => decodeBody(parts.find(({ headers }) => headers['content-type']?.startsWith(type)))
  return {
    from: decodeWords(message.headers.from ?? ''),
    to: envelope.rcptTo.map(({ address }) => address),
    subject: decodeWords(message.headers.subject ?? ''),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
    headers: message.headers,
  }
}

interface Part {
  headers: Record<string, string>
  body: string
}

function parsePart(source: string): Part {
  const [head = '', ...rest] = source.trimStart().split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const pairs = lines.map((line) => [line.split(':', 1).join('').toLowerCase(), line.replace(/^[^:]*:\s*/, '')])
  return { headers: Object.fromEntries(pairs), body: rest.join('\r\n\r\n') }
}

function decodeBody(part: Part | undefined): string {
  if (!part) return ''
  const decode = decoders[part.headers['content-transfer-encoding'] ?? ''] ?? ((body) => Buffer.from(body, 'latin1'))
  return decode(part.body).toString('utf8')
}

const decoders: Record<string, (body: string) => Buffer> = {
  base64: (body) => Buffer.from(body, 'base64'),
  'quoted-printable': (body) => unquote(body.replace(/=\r\n/g, '')),
}

/** `=?UTF-8?B?…?=` and `=?UTF-8?Q?…?=`, as subjects are written. */
function decodeWords(subject: string): string {
  return subject
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_all, how: string, word: string) =>
      (how.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : unquote(word.replaceAll('_', ' '))).toString('utf8'),
    )
}

function unquote(text: string): Buffer {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
