import type { Order, Report } from '#web/features/documents/upload/hash.worker.ts'
import type { Range } from '#web/features/documents/upload/proof.ts'

/** The file can no longer be read: it was moved, changed or taken away with its disk. */
export class Unreadable extends Error {
  constructor() {
    super('无法读取文件，它可能已被移动或修改，请移除后重新选择')
    this.name = 'Unreadable'
  }
}

/** Empty where this browser cannot do it: the file is then sent without, and the server looks for itself. */
export function hashFile(
  file: File,
  { signal, tell }: { signal: AbortSignal; tell: (bytes: number) => void },
): Promise<string> {
  return ask((id) => ({ kind: 'hash', id, file }), { signal, tell })
}

export function proveFile(
  file: File,
  { nonce, ranges, signal }: { nonce: string; ranges: readonly Range[]; signal: AbortSignal },
): Promise<string> {
  return ask((id) => ({ kind: 'proof', id, file, nonce, ranges }), { signal, tell: () => {} })
}

/** Whether the bytes are still there to be read. */
export async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}

interface Waiting {
  tell: (bytes: number) => void
  answer: (digest: string) => void
  fail: (error: unknown) => void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | undefined
let lastId = 0

function ask(
  orderFor: (id: number) => Order,
  { signal, tell }: { signal: AbortSignal; tell: (bytes: number) => void },
): Promise<string> {
  signal.throwIfAborted()
  const id = (lastId += 1)
  return new Promise<string>((answer, fail) => {
    waiting.set(id, { tell, answer, fail })
    signal.addEventListener('abort', () => {
      worker?.postMessage({ kind: 'stop', id } satisfies Order, [])
      fail(signal.reason)
    })
    openWorker().postMessage(orderFor(id), [])
  }).finally(() => waiting.delete(id))
}

function openWorker(): Worker {
  worker ??= listenTo(new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' }))
  return worker
}

function listenTo(made: Worker): Worker {
  made.addEventListener('message', ({ data }: MessageEvent<Report>) => {
    const asker = waiting.get(data.id)
    if (data.kind === 'read') asker?.tell(data.bytes)
    else if (data.kind === 'digest') asker?.answer(data.digest)
    else if (data.unreadable) asker?.fail(new Unreadable())
    else asker?.answer('')
  })
  made.addEventListener('error', () => {
    worker = undefined
    for (const { answer } of waiting.values()) answer('')
  })
  return made
}
