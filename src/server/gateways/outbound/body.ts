import type { IncomingMessage } from 'node:http'
import { addAbortSignal, pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutboundError, type StopSignals, toOutboundError } from './outbound-error.ts'

export interface BodyLimits {
  /** Of the bytes received, and of what they decompress to. */
  maxBytes: number
  /** Without a byte from the other side, while the reader waits for one. */
  idleMs: number
}

const maxRatio = 100
const ratioCountsFromBytes = 1024 * 1024

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
}

export const acceptedEncodings = 'gzip, br'

/**
 * The decompressed body of a response, within the limits. Destroying it closes the connection. Its errors are `OutboundError`s.
 * Throws if the response is refused by its headers.
 */
export function openBody(response: IncomingMessage, limits: BodyLimits, stop: StopSignals): Readable {
  const createDecoder = findDecoder(response)
  // The header may lie: it can only shorten the work.
  if (Number(response.headers['content-length']) > limits.maxBytes) throw new OutboundError('too-long')
  const received = new ReceivedBytes(limits, stop)
  const body = createDecoder ? new DecodedBytes(limits, stop, received) : received
  // Each stream carries its error to the others; the reader sees that of `body`.
  if (createDecoder) pipeline(response, received, createDecoder(), body, () => undefined)
  else pipeline(response, received, () => undefined)
  // Without a listener, an error before the caller reads would end the process; the caller gets it when it reads.
  body.on('error', () => undefined)
  // Of `body`: the connection may be done while the reader still decompresses.
  addAbortSignal(stop.deadline, body)
  if (stop.signal) addAbortSignal(stop.signal, body)
  return body
}

function findDecoder(response: IncomingMessage): (() => Transform) | undefined {
  const coding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  const isEmpty = response.statusCode === 204 || response.statusCode === 304
  if (isEmpty || coding === '' || coding === 'identity' || response.headers['content-length'] === '0') return undefined
  // A list of codings is refused with the unknown ones: each would multiply what a few bytes turn into.
  if (!Object.hasOwn(decoders, coding)) throw new OutboundError('encoding')
  return decoders[coding as keyof typeof decoders]
}

class LimitedBytes extends Transform {
  size = 0
  readonly #maxBytes: number
  readonly #stop: StopSignals

  constructor({ maxBytes }: BodyLimits, stop: StopSignals) {
    super()
    this.#maxBytes = maxBytes
    this.#stop = stop
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback) {
    this.size += chunk.length
    if (this.size > this.#maxBytes) done(new OutboundError('too-long'))
    else done(null, chunk)
  }

  override destroy(error?: Error): this {
    return super.destroy(error && toOutboundError(error, this.#stop, 'interrupted'))
  }
}

/** Counts what comes over the network and limits how long it may fail to come. */
class ReceivedBytes extends LimitedBytes {
  readonly #idleMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(limits: BodyLimits, stop: StopSignals) {
    super(limits, stop)
    this.#idleMs = limits.idleMs
    this.#startTimer()
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback) {
    this.#stopTimer()
    super._transform(chunk, encoding, done)
    // A reader that does not keep up is no fault of the other side.
    if (this.readableLength < this.readableHighWaterMark) this.#startTimer()
  }

  override _read(size: number) {
    this.#startTimer()
    super._read(size)
  }

  override _flush(done: TransformCallback) {
    this.#stopTimer()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    this.#stopTimer()
    super._destroy(error, done)
  }

  #startTimer() {
    if (this.destroyed || this.writableEnded) return
    this.#timer ??= setTimeout(() => this.destroy(new OutboundError('timeout')), this.#idleMs)
  }

  #stopTimer() {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

class DecodedBytes extends LimitedBytes {
  readonly #received: ReceivedBytes

  constructor(limits: BodyLimits, stop: StopSignals, received: ReceivedBytes) {
    super(limits, stop)
    this.#received = received
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback) {
    const size = this.size + chunk.length
    const isBomb = size > ratioCountsFromBytes && size > this.#received.size * maxRatio
    if (isBomb) done(new OutboundError('inflated'))
    else super._transform(chunk, encoding, done)
  }
}
