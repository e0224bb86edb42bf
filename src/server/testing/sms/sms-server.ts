import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived. */
export interface ReceivedRequest {
  method: string
  /** As in the request line. */
  target: string
  headers: IncomingMessage['headers']
  body: string
}

export interface ReceivedSms {
  mobile: string
  template: string
  sign: string
  /** The values of the template's variables, by name or by position. */
  params: Record<string, string> | string[]
}

export interface ProtocolAnswer {
  status: number
  body: unknown
}

/** What a provider's server does. It shares no code with the driver: it computes the signature by itself. */
export interface SmsProtocol {
  /** The settings with which the driver sends to this server. */
  settings(url: string): Record<string, string>
  /** What is wrong with the credentials, the signature, the time or the nonce. */
  findForgery(request: ReceivedRequest, server: { now: number; isNonceNew(nonce: string): boolean }): string | undefined
  readMessage(request: ReceivedRequest): ReceivedSms
  accepted(message: ReceivedSms): ProtocolAnswer
  refused(reason: string): ProtocolAnswer
}

/** How the server takes the following messages. */
type Mood = 'accept' | 'refuse' | 'hang' | 'break-off' | 'garbage' | 'bad-gateway'

export interface SmsServer {
  url: string
  settings: Record<string, string>
  /** Genuine messages, whatever became of them. */
  received: ReceivedSms[]
  /** What was wrong with requests that were refused as forged. */
  forgeries: string[]
  /** Every request, genuine or not. */
  requests: ReceivedRequest[]
  behave(mood: Mood): void
  /** The first number of four to eight digits in the last message to this number. */
  codeFor(mobile: string): string
  close(): Promise<void>
}

export async function openSmsServer(protocol: SmsProtocol, now: () => number = Date.now): Promise<SmsServer> {
  const received: ReceivedSms[] = []
  const forgeries: string[] = []
  const requests: ReceivedRequest[] = []
  const nonces = new Set<string>()
  let mood: Mood = 'accept'
  const isNonceNew = (nonce: string) => !nonces.has(nonce) && Boolean(nonces.add(nonce))

  const answer = (request: ReceivedRequest): ProtocolAnswer => {
    requests.push(request)
    const forgery = protocol.findForgery(request, { now: now(), isNonceNew })
    if (forgery !== undefined) {
      forgeries.push(forgery)
      return protocol.refused(forgery)
    }
    const message = protocol.readMessage(request)
    received.push(message)
    if (mood === 'garbage') return { status: 200, body: '<html>maintenance</html>' }
    if (mood === 'bad-gateway') return { status: 502, body: '<html>bad gateway</html>' }
    return mood === 'refuse' ? protocol.refused('the balance is used up') : protocol.accepted(message)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request
      const { status, body } = answer({ method, target, headers, body: Buffer.concat(chunks).toString('utf8') })
      if (mood === 'hang') return
      if (mood === 'break-off') {
        request.socket.destroy()
        return
      }
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    settings: { 'sms.enable': 'true', ...protocol.settings(url) },
    received,
    forgeries,
    requests,
    behave(next) {
      mood = next
    },
    codeFor(mobile) {
      const message = received.findLast((each) => each.mobile === mobile)
      const code = Object.values(message?.params ?? []).find((value) => /^\d{4,8}$/.test(value))
      if (code === undefined) throw new Error(`no code was sent to ${mobile}`)
      return code
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function parseHeader(text: string, separator: RegExp): Record<string, string> {
  return Object.fromEntries(
    text.split(separator).map((part) => {
      const at = part.indexOf('=')
      return [part.slice(0, at), part.slice(at + 1)]
    }),
  )
}

/** RFC 3986, byte by byte. */
export function percent(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replace(/[^A-Za-z0-9\-._~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
