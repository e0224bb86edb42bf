/** What reads a file through: hash-wasm in the worker, anything with the same manners in tests. */
export interface Hasher {
  init(): unknown
  update(bytes: Uint8Array | string): unknown
  digest(): string
}

export interface Range {
  start: number
  end: number
}

const chunkSize = 2 * 1024 * 1024

/** SHA-256 of a whole file, piece by piece: memory does not grow with it. */
export async function hashOf(file: Blob, hasher: Hasher, tell: (read: number) => void): Promise<string> {
  hasher.init()
  for (let at = 0; at < file.size; at += chunkSize) {
    hasher.update(await bytesOf(file, { start: at, end: at + chunkSize }))
    tell(Math.min(at + chunkSize, file.size))
  }
  return hasher.digest()
}

/** Shows that one holds the file, without sending it: the nonce, then the pieces that were asked for, in their order. */
export async function proofOf(
  file: Blob,
  { nonce, ranges, hasher }: { nonce: string; ranges: readonly Range[]; hasher: Hasher },
): Promise<string> {
  hasher.init()
  hasher.update(nonce)
  for (const range of ranges) hasher.update(await bytesOf(file, range))
  return hasher.digest()
}

async function bytesOf(file: Blob, { start, end }: Range): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(start, end).arrayBuffer())
}
