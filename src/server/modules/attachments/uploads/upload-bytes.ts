import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStore } from '@tus/file-store'
import { DataStore, type Upload } from '@tus/server'
import { errors } from '#shared/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { UploadRows } from './upload-rows.ts'

/** Where the bytes of unfinished uploads are kept: what tus wants of it, and what we want besides. */
export interface UploadBytes extends DataStore {
  /** All of it as a file of this machine. Who asked removes it, if they do not move it. */
  whole(id: string): Promise<string>
  drop(id: string): Promise<void>
  ids(): AsyncIterable<string>
}

interface Kept {
  /** Rows that say how far an upload is. */
  rows: UploadRows
  expiresMs: number
}

const extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']

/** Files on the disk on which the content will stay: a whole one is only renamed. */
export class DiskUploads extends FileStore implements UploadBytes {
  private readonly rows: UploadRows

  constructor(folder: string, { rows, expiresMs }: Kept) {
    super({ directory: folder, configstore: rows, expirationPeriodInMilliseconds: expiresMs })
    this.rows = rows
    this.extensions = extensions
  }

  /** A file that comes whole with its creation is gone from here when tus asks how far it is. */
  override async getUpload(id: string): Promise<Upload> {
    return (await this.rows.finished(id)) ?? super.getUpload(id)
  }

  /** The library's own way hides why it failed, and a full disk must be told. */
  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, id), { flags: 'r+', start: offset })
    await pipeline(bytes, file)
    return offset + file.bytesWritten
  }

  async whole(id: string): Promise<string> {
    return join(this.directory, id)
  }

  async drop(id: string): Promise<void> {
    await rm(join(this.directory, id), { force: true })
  }

  async *ids(): AsyncGenerator<string> {
    yield* await readdir(this.directory)
  }
}

const partSize = 8 * 1024 * 1024

/**
 * Parts in the storage that all machines share, each named by where it begins: whichever machine gets the next request can
 * go on. What came before a connection broke is kept, and no part takes the place of another: a request that is dying may
 * still write while the next one brings the same bytes again.
 */
export class PartUploads extends DataStore implements UploadBytes {
  private readonly storage: Storage
  private readonly folder: string
  private readonly kept: Kept

  constructor(storage: Storage, folder: string, kept: Kept) {
    super()
    this.storage = storage
    this.folder = folder
    this.kept = kept
    this.extensions = extensions
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.kept.rows.set(upload.id, upload)
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const finished = await this.kept.rows.finished(id)
    if (finished) return finished
    const upload = await this.kept.rows.get(id)
    if (!upload) throw errors.uploads.notFound()
    const parts = await this.parts(id)
    upload.offset = parts.at(-1)?.end ?? 0
    return upload
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    let at = offset
    let waiting: Buffer[] = []
    let size = 0
    const flush = async () => {
      if (size === 0) return
      await this.storage.put(newPartKey(id, at), Buffer.concat(waiting, size))
      at += size
      waiting = []
      size = 0
    }
    try {
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        waiting.push(chunk)
        size += chunk.length
        if (size >= partSize) await flush()
      }
    } finally {
      await flush()
    }
    return at
  }

  override async remove(id: string): Promise<void> {
    await this.drop(id)
    await this.kept.rows.delete(id)
  }

  override getExpiration(): number {
    return this.kept.expiresMs
  }

  /**
   * Several processes may ask at once: each gets a file of its own. Who finds that another has done all and dropped the
   * parts gets no file rather than some of it.
   */
  async whole(id: string): Promise<string> {
    const path = join(this.folder, `${id}.${randomUUID()}.whole`)
    const finished = await this.kept.rows.finished(id)
    const upload = finished ?? (await this.kept.rows.get(id))
    const parts = await this.parts(id)
    if (parts.at(-1)?.end !== upload?.size) {
      if (finished) return path
      throw errors.uploads.unfinished()
    }
    await mkdir(this.folder, { recursive: true })
    for (const { key } of parts) {
      const part = await this.storage.read(key)
      if (part) await pipeline(part, createWriteStream(path, { flags: 'a' }))
      else {
        await rm(path, { force: true })
        throw errors.uploads.unfinished()
      }
    }
    return path
  }

  async drop(id: string): Promise<void> {
    const keys: string[] = []
    for await (const { key } of this.storage.list(`uploads/${id}/`)) keys.push(key)
    await this.storage.remove(keys)
  }

  async *ids(): AsyncGenerator<string> {
    let last = ''
    for await (const { key } of this.storage.list('uploads/')) {
      const id = key.split('/')[1] ?? ''
      if (id !== last) yield id
      last = id
    }
  }

  /** Those that follow one another from the beginning the furthest, in their order. */
  private async parts(id: string): Promise<Part[]> {
    const found: Part[] = []
    for await (const { key, size } of this.storage.list(`uploads/${id}/`)) {
      const start = startOf(key)
      if (size > 0) found.push({ key, start, end: start + size })
    }
    return longestChain(found)
  }
}

interface Part {
  key: string
  start: number
  end: number
}

function longestChain(parts: readonly Part[]): Part[] {
  /** By where it ends, the last part of a chain that reaches there. */
  const reached = new Map<number, Part>()
  for (const part of parts.toSorted((a, b) => a.start - b.start))
    if (part.start === 0 || reached.has(part.start)) reached.set(part.end, part)
  const chain: Part[] = []
  let last = reached.get(Math.max(0, ...reached.keys()))
  while (last) {
    chain.push(last)
    last = reached.get(last.start)
  }
  return chain.toReversed()
}

function newPartKey(id: string, at: number): string {
  return `uploads/${id}/${String(at).padStart(15, '0')}-${randomUUID()}`
}

function startOf(key: string): number {
  return Number(key.split('/').at(-1)?.slice(0, 15))
}
