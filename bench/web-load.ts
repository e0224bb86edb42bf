import { connect } from 'node:net'

/** A process of visitors: each asks over one connection, again when it has its answer, until the time is over. */

export interface Load {
  port: number
  paths: string[]
  connections: number
  ms: number
  /** Every so many requests of a connection ask for a page that nobody has asked for before; 0 never. */
  uniqueEvery: number
  /** How long people look at what they got, on average; without it they ask for the next at once. */
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

let made = 0
/** Of an answer whose length nobody knew when it began. */
const lastPiece = '\r\n0\r\n\r\n'

async function run(load: Load): Promise<Outcome> {
  const times: number[] = []
  const errors: string[] = []
  const begun = performance.now()
  await Promise.all(Array.from({ length: load.connections }, (_, n) => visit(load, n, begun + load.ms, times, errors)))
  const seconds = (performance.now() - begun) / 1000
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { requests: times.length, errors, seconds, p50: at(0.5), p99: at(0.99), worst: at(1) }
}

function visit(load: Load, number: number, end: number, times: number[], errors: string[]): Promise<void> {
  return new Promise((done) => {
    const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
    let asked = 0
    let count = number
    let received = 0
    let whole = 0
    let head = ''
    let tail = ''
    let path = ''
    let isOver = false
    const leave = () => {
      isOver = true
      socket.destroy()
      done()
    }
    const fail = (reason: string) => {
      if (isOver) return
      errors.push(`${path}: ${reason}`)
      leave()
    }
    const rest = () => (load.pauseMs ? setTimeout(next, load.pauseMs * 2 * Math.random()) : next())
    const next = () => {
      asked = performance.now()
      if (asked >= end) return leave()
      path = load.paths[count % load.paths.length] ?? '/'
      count += 1
      const isUnique = load.uniqueEvery > 0 && count % load.uniqueEvery === 0
      if (isUnique) path += `${path.includes('?') ? '&' : '?'}unseen=${process.pid}-${(made += 1)}`
      // Everybody comes from elsewhere: nobody uses up what one visitor may ask for.
      const from = `10.${made % 200}.${number % 250}.${count % 250}`
      head = ''
      tail = ''
      received = 0
      whole = 0
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\nX-Forwarded-For: ${from}\r\n\r\n`,
      )
    }
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (whole === 0) {
        head += chunk.toString('latin1', 0, 8192)
        const stop = head.indexOf('\r\n\r\n')
        if (stop < 0) return
        if (!head.startsWith('HTTP/1.1 200')) return fail(head.slice(0, 40))
        const length = /content-length: (\d+)/i.exec(head)?.[1]
        whole = length ? Number(length) + stop + 4 : Infinity
      }
      if (whole === Infinity) tail = (tail + chunk.toString('latin1').slice(-lastPiece.length)).slice(-lastPiece.length)
      if (received < whole && tail !== lastPiece) return
      times.push(performance.now() - asked)
      rest()
    })
    socket.on('error', ({ message }) => fail(message))
    socket.on('close', () => fail('closed'))
    // They do not all come at once.
    socket.on('connect', rest)
  })
}
