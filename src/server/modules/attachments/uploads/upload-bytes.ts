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

/** The bytes of unfinished uploads: the data store of tus, and what we need besides. */
export interface UploadStore extends DataStore {
  /** The complete upload as a local file, which the caller moves or removes. */
  assemble(id: string): Promise<string>
  drop(id: string): Promise<void>
  ids(): AsyncIterable<string>
}

interface StoreOptions {
  /** The states of uploads. */
  rows: UploadRows
  expiresMs: number
}

const extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']

/** Files on the disk of the storage: a complete one is only renamed. */
export class DiskUploadStore extends FileStore implements UploadStore {
  private readonly rows: UploadRows

  constructor(folder: string, { rows, expiresMs }: StoreOptions) {
    super({ directory: folder, configstore: rows, expirationPeriodInMilliseconds: expiresMs })
    this.rows = rows
    this.extensions = extensions
  }

  /** A file that is complete at its creation has been moved when tus asks for its offset. */
  override async getUpload(id: string): Promise<Upload> {
    return (await this.rows.finished(id)) ?? super.getUpload(id)
  }

  /** The library hides the cause of an error, and a full disk must be reported. */
  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, id), { flags: 'r+', start: offset })
    await pipeline(bytes, file)
    return offset + file.bytesWritten
  }

  async assemble(id: string): Promise<string> {
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
 * Parts in the shared storage, with their offsets in their keys: any process can handle the next request. What arrived
 * before a connection broke is kept. Part keys are unique: an aborted request may still be writing while the next one sends
 * the same bytes again.
 */
export class PartUploadStore extends DataStore implements UploadStore {
  private readonly storage: Storage
  private readonly folder: string
  private readonly options: StoreOptions

  constructor(storage: Storage, folder: string, options: StoreOptions) {
    super()
    this.storage = storage
    this.folder = folder
    this.options = options
    this.extensions = extensions
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.options.rows.set(upload.id, upload)
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const finished = await this.options.rows.finished(id)
    if (finished) return finished
    const upload = await this.options.rows.get(id)
    if (!upload) throw errors.uploads.notFound()
    const parts = await this.parts(id)
    upload.offset = parts.at(-1)?.end ?? 0
    return upload
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    let at = offset
    let chunks: Buffer[] = []
    let size = 0
    const flush = async () => {
      if (size === 0) return
      await this.storage.put(newPartKey(id, at), Buffer.concat(chunks, size))
      at += size
      chunks = []
      size = 0
    }
    try {
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        chunks.push(chunk)
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
    await this.options.rows.delete(id)
  }

  override getExpiration(): number {
    return this.options.expiresMs
  }

  /**
   * Each of several concurrent processes gets a file of its own. If another one has finished and dropped the parts, the file
   * does not exist, rather than being incomplete.
   */
  async assemble(id: string): Promise<string> {
    const path = join(this.folder, `${id}.${randomUUID()}.whole`)
    const finished = await this.options.rows.finished(id)
    const upload = finished ?? (await this.options.rows.get(id))
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

  /** The longest chain of contiguous parts from offset 0, in order. */
  private async parts(id: string): Promise<Part[]> {
    const parts: Part[] = []
    for await (const { key, size } of this.storage.list(`uploads/${id}/`)) {
      const start = parseStart(key)
      if (size > 0) parts.push({ key, start, end: start + size })
    }
    return longestChain(parts)
  }
}

interface Part {
  key: string
  start: number
  end: number
}

function longestChain(parts: readonly Part[]): Part[] {
  /** The last part of a chain, by its end. */
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

function parseStart(key: string): number {
  return Number(key.split('/').at(-1)?.slice(0, 15))
}
