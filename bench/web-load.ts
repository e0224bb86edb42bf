import { connect } from 'node:net'

/** A load generator: each connection sends the next request when it has the response, until the time is over. */

export interface Load {
  port: number
  paths: string[]
  connections: number
  ms: number
  /** Ends it after so many requests. */
  requests?: number
  /** Every n-th request is for the next of these. */
  others?: { paths: string[]; every: number }
  /** Average pause between two requests of a connection; none by default. */
  pauseMs?: number
}

export interface Outcome {
  requests: number
  errors: string[]
  seconds: number
  p50: number
  p99: number
  worst: number
}

process.on('message', (load: Load) => {
  run(load)
    .then((outcome) => process.send?.(outcome))
    .catch((error: unknown) => {
      console.error(error)
      process.exit(1)
    })
})
process.send?.('ready')

/** Of all requests since the process was started. */
let sent = 0
let sentToOthers = 0
/** The end of a response with chunked encoding. */
const lastChunk = '\r\n0\r\n\r\n'

async function run(load: Load): Promise<Outcome> {
  const times: number[] = []
  const errors: string[] = []
  const startedAt = performance.now()
  const last = sent + (load.requests ?? Infinity)
  const isOver = () => sent >= last || performance.now() >= startedAt + load.ms
  await Promise.all(Array.from({ length: load.connections }, () => visit(load, isOver, times, errors)))
  const seconds = (performance.now() - startedAt) / 1000
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { requests: times.length, errors, seconds, p50: at(0.5), p99: at(0.99), worst: at(1) }
}

function visit(
  { port, paths, others, pauseMs }: Load,
  isTimeOver: () => boolean,
  times: number[],
  errors: string[],
): Promise<void> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    let received = 0
    let expected = 0
    let head = ''
    let tail = ''
    let path = ''
    let isOver = false
    const finish = () => {
      isOver = true
      socket.destroy()
      done()
    }
    const fail = (reason: string) => {
      if (isOver) return
      errors.push(`${path}: ${reason}`)
      finish()
    }
    const pause = () => (pauseMs ? setTimeout(next, pauseMs * 2 * Math.random()) : next())
    const next = () => {
      if (isTimeOver()) return finish()
      sentAt = performance.now()
      sent += 1
      const isOther = others && sent % others.every === 0
      path = (isOther ? others.paths[sentToOthers++ % others.paths.length] : paths[sent % paths.length]) ?? '/'
      // A new address for each request, so that rate limits per address do not apply.
      const from = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`
      head = ''
      tail = ''
      received = 0
      expected = 0
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\nX-Forwarded-For: ${from}\r\n\r\n`,
      )
    }
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (expected === 0) {
        head += chunk.toString('latin1', 0, 8192)
        const stop = head.indexOf('\r\n\r\n')
        if (stop < 0) return
        if (!head.startsWith('HTTP/1.1 200')) return fail(head.slice(0, 40))
        const length = /content-length: (\d+)/i.exec(head)?.[1]
        expected = length ? Number(length) + stop + 4 : Infinity
      }
      if (expected === Infinity)
        tail = (tail + chunk.toString('latin1').slice(-lastChunk.length)).slice(-lastChunk.length)
      if (received < expected && tail !== lastChunk) return
      times.push(performance.now() - sentAt)
      pause()
    })
    socket.on('error', ({ message }) => fail(message))
    socket.on('close', () => fail('closed'))
    // Connections do not start at the same moment.
    socket.on('connect', pause)
  })
}
