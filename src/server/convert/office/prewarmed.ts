import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Prepared } from '../converter.ts'
import { firstPages, mostFirst, pagesIn } from './first-pages.ts'
import { callOffice } from './ipc.ts'
import { type OfficeProfile, officeStart } from './profile.ts'
import { makeRoom, type OfficeJob, pdfWords, type Room, roomLimits } from './workdir.ts'
import { failure, handOver, type Running, startInSandbox } from '../sandbox/sandbox.ts'

/** An office process that is started before its document comes: a document need not wait for the start. */
export interface Ahead {
  /** Undefined where none waits, or it made no PDF of it: then it is to be tried the usual way, which tells why. */
  toPdf(job: OfficeJob): Promise<Prepared | undefined>
  /** Has one wait for the next document; it goes when none comes. */
  prepare(given: Given): void
  close(): Promise<void>
}

export interface AheadOptions {
  /** How long one waits for a document. */
  idleMs?: number
  /** The pages of the last document go before the start. */
  pauseMs?: number
  /** Told whenever one can take a document. */
  onWaiting?: () => void
}

interface Given {
  program: string
  profile: OfficeProfile
  /** What a document is allowed. */
  timeoutMs: number
}

interface Waiting {
  room: Room
  running: Running
  cpuMs: number
}

/** For one document each, behind the same walls and limits as any. Needs bubblewrap, which gives it a /tmp that we see. */
export function officeAhead({ idleMs = 300_000, pauseMs = 300, onWaiting }: AheadOptions = {}): Ahead {
  let waiting: Waiting | undefined
  let starting: { done: Promise<void>; stop?: () => void } | undefined
  let timer: NodeJS.Timeout | undefined
  let misses = 0
  let closed = false

  const forget = async (one: Waiting) => {
    await one.running.ended.catch(() => undefined)
    if (waiting !== one) return
    waiting = undefined
    await one.room.remove()
  }
  const start = async (given: Given) => {
    const one = await startWaiting(given)
    if (starting) starting.stop = one.running.kill
    const over = new AbortController()
    void one.running.ended.catch(() => undefined).finally(() => over.abort())
    const line = closed ? undefined : await callOffice(one.room.scratch, startMs, over.signal)
    line?.hangUp()
    misses = line ? 0 : misses + 1
    if (!line || closed) return end(one)
    waiting = one
    one.running.allow(idleMs)
    void forget(one)
    onWaiting?.()
  }
  return {
    toPdf: async (job) => {
      const one = waiting
      if (!one || one.cpuMs < job.limits.timeoutMs * 2) return undefined
      waiting = undefined
      one.running.allow(job.limits.timeoutMs)
      try {
        return await convert(job, one)
      } finally {
        await end(one)
      }
    },
    prepare: (given) => {
      if (closed || misses >= mostMisses || waiting || starting || timer) return
      timer = setTimeout(() => {
        timer = undefined
        // Without one the usual way is as good: whatever kept it from starting is told there.
        const done = start(given)
          .catch(() => undefined)
          .finally(() => {
            starting = undefined
          })
        starting = { done }
      }, pauseMs).unref()
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      starting?.stop?.()
      await starting?.done
      if (waiting) await end(waiting)
    },
  }
}

/** Until it can be spoken to; and at the time of a document, when it has been. */
const startMs = 10_000
const answerMs = 300
/** A program that cannot be spoken to so many times in a row is another kind, and left alone. */
const mostMisses = 3

async function startWaiting({ program, profile, timeoutMs }: Given): Promise<Waiting> {
  const room = await makeRoom(join(profile.home, 'ahead-'), profile)
  // What is left of a job's time differs: a document that is allowed a little more than the last may come here, too.
  const cpuMs = timeoutMs * 4
  try {
    await mkdir(room.scratch)
    const running = startInSandbox('bubblewrap', {
      program,
      mounts: {
        ...room.mounts,
        first: { path: profile.first, at: '/job/first.docx' },
        tmp: { path: room.scratch, writable: true, at: '/tmp' },
      },
      env: officeStart.env,
      args: (at) => [...officeStart.args(at), at('first')],
      limits: { timeoutMs: startMs * 2, cpuMs, ...roomLimits },
    })
    return { room, cpuMs, running }
  } catch (error) {
    await room.remove()
    throw error
  }
}

/** The first pages, then all: it reads the document twice, so that nobody waits for the end to see the beginning. */
async function convert(job: OfficeJob, { room, running }: Waiting): Promise<Prepared | undefined> {
  const { signal, timeoutMs, onFirstPages } = job.limits
  signal?.throwIfAborted()
  signal?.addEventListener('abort', running.kill)
  const has = async (words: string[]) => {
    const line = await callOffice(room.scratch, answerMs)
    if (line) await Promise.race([line.send(words), running.ended])
    line?.hangUp()
    return line !== undefined
  }
  try {
    const name = await room.place(job)
    handOver(join(room.mounts.in.path, name))
    running.allow(timeoutMs)
    const at = (mount: string) => `/job/${mount}`
    const filter = onFirstPages && firstPages(job.probe.as)
    if (filter && (await has(pdfWords(name, at, filter)))) {
      const first = await room.take(job, 'first.pdf')
      if (first && (await pagesIn(first.path)) < mostFirst) return first
      if (first) onFirstPages(first)
    }
    if (!(await has(pdfWords(name, at)))) return undefined
    running.kill()
    const outcome = await running.ended
    signal?.throwIfAborted()
    if (outcome.stopped) throw failure(outcome)
    return await room.take(job)
  } finally {
    signal?.removeEventListener('abort', running.kill)
  }
}

async function end({ room, running }: Waiting): Promise<void> {
  running.kill()
  await running.ended.catch(() => undefined)
  await room.remove()
}
