import type { HashRequest, HashResponse } from '#web/features/documents/upload/transfer/hash.worker.ts'
import type { Range } from '#web/features/documents/upload/transfer/possession-proof.ts'

/** The file was moved, changed, or its disk removed. */
export class UnreadableFile extends Error {
  constructor() {
    super('无法读取文件，它可能已被移动或修改，请移除后重新选择')
    this.name = 'UnreadableFile'
  }
}

interface HashOptions {
  signal: AbortSignal
  onProgress: (bytes: number) => void
}

/** Empty if the worker fails: the file is then sent without a hash, and the server computes it. */
export function hashFile(file: File, options: HashOptions): Promise<string> {
  return request((id) => ({ kind: 'hash', id, file }), options)
}

export function proveFile(
  file: File,
  { nonce, ranges, signal }: { nonce: string; ranges: readonly Range[]; signal: AbortSignal },
): Promise<string> {
  return request((id) => ({ kind: 'proof', id, file, nonce, ranges }), { signal, onProgress: () => {} })
}

/** Whether the file can still be read. */
export async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}

interface PendingRequest {
  onProgress: (bytes: number) => void
  resolve: (digest: string) => void
  reject: (error: unknown) => void
}

const pending = new Map<number, PendingRequest>()
let worker: Worker | undefined
let lastId = 0

function request(createRequest: (id: number) => HashRequest, { signal, onProgress }: HashOptions): Promise<string> {
  signal.throwIfAborted()
  const id = (lastId += 1)
  return new Promise<string>((resolve, reject) => {
    pending.set(id, { onProgress, resolve, reject })
    signal.addEventListener('abort', () => {
      worker?.postMessage({ kind: 'stop', id } satisfies HashRequest, [])
      reject(signal.reason)
    })
    openWorker().postMessage(createRequest(id), [])
  }).finally(() => pending.delete(id))
}

function openWorker(): Worker {
  worker ??= listenTo(new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' }))
  return worker
}

function listenTo(created: Worker): Worker {
  created.addEventListener('message', ({ data }: MessageEvent<HashResponse>) => {
    const caller = pending.get(data.id)
    if (data.kind === 'progress') caller?.onProgress(data.bytes)
    else if (data.kind === 'digest') caller?.resolve(data.digest)
    else if (data.isUnreadable) caller?.reject(new UnreadableFile())
    else caller?.resolve('')
  })
  created.addEventListener('error', () => {
    worker = undefined
    for (const { resolve } of pending.values()) resolve('')
  })
  return created
}
