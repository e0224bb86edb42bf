import { createHash, randomUUID, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Bytes in a file of their own, which is never written again. */
export interface Blob {
  path: string
  size: number
  md5: string
  sha256: string
}

export interface S3Object extends Blob {
  etag: string
  changedAt: Date
  headers: Record<string, string>
}

export interface Upload {
  key: string
  begunAt: Date
  headers: Record<string, string>
  parts: Map<number, Blob>
}

/** What the bucket holds: bytes on disk, names in memory. */
export interface Bucket {
  objects: Map<string, S3Object>
  uploads: Map<string, Upload>
  write(body: Readable): Promise<Blob>
  keep(key: string, blob: Blob, headers: Record<string, string>, etag?: string): Promise<S3Object>
  drop(key: string): Promise<void>
  join(parts: Blob[]): Promise<Blob>
}

export function openBucket(folder: string): Bucket {
  const objects = new Map<string, S3Object>()

  const write = async (body: Readable): Promise<Blob> => {
    const path = join(folder, randomUUID())
    const [md5, sha256] = [createHash('md5'), createHash('sha256')]
    const counted = { size: 0 }
    try {
      await pipeline(
        body,
        (chunks: AsyncIterable<Buffer>) => digest(chunks, [md5, sha256], counted),
        createWriteStream(path),
      )
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    return { path, size: counted.size, md5: md5.digest('hex'), sha256: sha256.digest('hex') }
  }

  return {
    objects,
    uploads: new Map(),
    write,
    async keep(key, blob, headers, etag = blob.md5) {
      const before = objects.get(key)
      const object = { ...blob, etag: `"${etag}"`, headers, changedAt: new Date() }
      objects.set(key, object)
      if (before) await rm(before.path, { force: true })
      return object
    },
    async drop(key) {
      const before = objects.get(key)
      objects.delete(key)
      if (before) await rm(before.path, { force: true })
    },
    join: (parts) => write(Readable.from(bytesOf(parts))),
  }
}

async function* digest(chunks: AsyncIterable<Buffer>, hashes: Hash[], counted: { size: number }) {
  for await (const chunk of chunks) {
    for (const hash of hashes) hash.update(chunk)
    counted.size += chunk.length
    yield chunk
  }
}

async function* bytesOf(parts: Blob[]): AsyncGenerator<Buffer> {
  for (const { path } of parts) yield* createReadStream(path)
}
