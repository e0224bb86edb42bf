import { createSHA256 } from 'hash-wasm'
import { hashBlob, possessionProof, type Range } from '#web/features/documents/upload/transfer/possession-proof.ts'

/** Hashes files off the main thread. */

export type HashRequest =
  | { kind: 'hash'; id: number; file: File }
  | { kind: 'proof'; id: number; file: File; nonce: string; ranges: readonly Range[] }
  | { kind: 'stop'; id: number }

export type HashResponse =
  | { kind: 'progress'; id: number; bytes: number }
  | { kind: 'digest'; id: number; digest: string }
  /** Because the file cannot be read, or because of the worker. */
  | { kind: 'failed'; id: number; isUnreadable: boolean }

const stopped = new Set<number>()

addEventListener('message', ({ data }: MessageEvent<HashRequest>) => {
  if (data.kind === 'stop') stopped.add(data.id)
  else void handle(data)
})

type DigestRequest = Exclude<HashRequest, { kind: 'stop' }>

async function handle(request: DigestRequest): Promise<void> {
  const { id } = request
  try {
    respond({ kind: 'digest', id, digest: await computeDigest(request) })
  } catch (error) {
    respond({ kind: 'failed', id, isUnreadable: error instanceof DOMException })
  } finally {
    stopped.delete(id)
  }
}

async function computeDigest(request: DigestRequest): Promise<string> {
  const hasher = await createSHA256()
  if (request.kind === 'proof') return possessionProof(request.file, { ...request, hasher })
  return hashBlob(request.file, hasher, (bytes) => {
    if (stopped.has(request.id)) throw new Error('stopped')
    respond({ kind: 'progress', id: request.id, bytes })
  })
}

function respond(message: HashResponse): void {
  postMessage(message, {})
}
