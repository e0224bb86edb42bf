import { createSHA256 } from 'hash-wasm'
import { hashOf, proofOf, type Range } from '#web/features/documents/upload/proof.ts'

/** Reads files through without holding up the page. */

export type Order =
  | { kind: 'hash'; id: number; file: File }
  | { kind: 'proof'; id: number; file: File; nonce: string; ranges: readonly Range[] }
  | { kind: 'stop'; id: number }

export type Report =
  | { kind: 'read'; id: number; bytes: number }
  | { kind: 'digest'; id: number; digest: string }
  /** `unreadable`: the file itself, as opposed to this worker. */
  | { kind: 'failed'; id: number; unreadable: boolean }

const stopped = new Set<number>()

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  if (data.kind === 'stop') stopped.add(data.id)
  else void carryOut(data)
})

async function carryOut(order: Exclude<Order, { kind: 'stop' }>): Promise<void> {
  const { id } = order
  try {
    report({ kind: 'digest', id, digest: await digestFor(order) })
  } catch (error) {
    report({ kind: 'failed', id, unreadable: error instanceof DOMException })
  } finally {
    stopped.delete(id)
  }
}

async function digestFor(order: Exclude<Order, { kind: 'stop' }>): Promise<string> {
  const hasher = await createSHA256()
  if (order.kind === 'proof') return proofOf(order.file, { ...order, hasher })
  return hashOf(order.file, hasher, (bytes) => {
    if (stopped.has(order.id)) throw new Error('stopped')
    report({ kind: 'read', id: order.id, bytes })
  })
}

function report(message: Report): void {
  postMessage(message, {})
}
