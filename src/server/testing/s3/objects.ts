import { createHash, randomUUID, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Bytes in an immutable file. */
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
  initiatedAt: Date
  headers: Record<string, string>
  parts: Map<number, Blob>
}

/** Bytes on disk, keys in memory. */
export interface Bucket {
  objects: Map<string, S3Object>
  uploads: Map<string, Upload>
  write(body: Readable): Promise<Blob>
  put(key: string, blob: Blob, headers: Record<string, string>, etag?: string): Promise<S3Object>
  remove(key: string): Promise<void>
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
    async put(key, blob, headers, etag = blob.md5) {
      const before = objects.get(key)
      const object = { ...blob, etag: `"${etag}"`, headers, changedAt: new Date() }
      objects.set(key, object)
      if (before) await rm(before.path, { force: true })
      return object
    },
    async remove(key) {
      const before = objects.get(key)
      objects.delete(key)
      if (before) await rm(before.path, { force: true })
    },
    join: (parts) => write(Readable.from(readAll(parts))),
  }
}

async function* digest(chunks: AsyncIterable<Buffer>, hashes: Hash[], counted: { size: number }) {
  for await (const chunk of chunks) {
    for (const hash of hashes) hash.update(chunk)
    counted.size += chunk.length
    yield chunk
  }
}

async function* readAll(parts: Blob[]): AsyncGenerator<Buffer> {
  for (const { path } of parts) yield* createReadStream(path)
}
