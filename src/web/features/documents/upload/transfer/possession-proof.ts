/** The interface of hash-wasm's hashers. */
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

/** The hash of a file, read in chunks: memory use does not depend on its size. */
export async function hashBlob(file: Blob, hasher: Hasher, onProgress: (bytes: number) => void): Promise<string> {
  hasher.init()
  for (let at = 0; at < file.size; at += chunkSize) {
    hasher.update(await readRange(file, { start: at, end: at + chunkSize }))
    onProgress(Math.min(at + chunkSize, file.size))
  }
  return hasher.digest()
}

/** Proves possession of a file without sending it: the hash of the nonce and the requested ranges in their order. */
export async function possessionProof(
  file: Blob,
  { nonce, ranges, hasher }: { nonce: string; ranges: readonly Range[]; hasher: Hasher },
): Promise<string> {
  hasher.init()
  hasher.update(nonce)
  for (const range of ranges) hasher.update(await readRange(file, range))
  return hasher.digest()
}

async function readRange(file: Blob, { start, end }: Range): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(start, end).arrayBuffer())
}
