import { addToday } from '../spider.counts.ts'
import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ctx } from '#server/context.ts'
import { type FetchFailure, FetchRefusal } from './failures.ts'
import { findFileName } from './file-name.ts'
import { type FetchRequest, openPolitely, type Unchanged } from './open-politely.ts'
import { headBytes, isWebPage } from './sniff-content.ts'

interface FetchedFile {
  kind: 'file'
  /** After redirects. */
  url: string
  status: number
  etag: string
  lastModified: string
  /** A temporary file, for the caller to move or to remove. */
  path: string
  /** SHA-256, hexadecimal. */
  hash: string
  size: number
  /** What the server calls it; may be empty. */
  name: string
}

export type FileOutcome = FetchedFile | Unchanged | FetchFailure

const deadlineMs = 30 * 60_000
/** A file that has been downloaded may take as long again on its way into the storage. */
const abandonedMs = 2 * deadlineMs
const ending = '.download'
const diskFullRetryMs = 10 * 60_000

/** Downloads a file into `folder`. */
export function fetchFile(ctx: Ctx, request: FetchRequest, folder: string): Promise<FileOutcome> {
  return openPolitely<FetchedFile>(ctx, request, {
    accept: '*/*',
    deadlineMs,
    async read({ url, status, headers, body }) {
      const path = join(folder, `${ctx.id()}${ending}`)
      const written = await write(ctx, path, body)
      return {
        kind: 'file',
        url: url.href,
        status,
        etag: headers.etag ?? '',
        lastModified: headers['last-modified'] ?? '',
        name: findFileName(headers['content-disposition'], url),
        path,
        ...written,
      }
    },
  })
}

/** Removes what processes have left that were killed. By age, as others may share the folder. */
export async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of names.filter((each) => each.endsWith(ending))) {
    const path = join(folder, name)
    // Its own process may remove it first.
    const stats = await stat(path).catch(() => undefined)
    if (stats && stats.mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true })
  }
}

async function write(ctx: Ctx, path: string, body: AsyncIterable<Buffer>): Promise<{ hash: string; size: number }> {
  const file = await open(path, 'wx', 0o600)
  let received = 0
  const count = (bytes: number) => {
    received += bytes
  }
  try {
    const written = await copy(body, file, count)
    await file.close()
    return written
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(path, { force: true })
    // What was thrown away has been transferred all the same.
    await addToday(ctx, { bytes: received })
    const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    throw isFull ? new FetchRefusal('disk_full', '', ctx.now() + diskFullRetryMs) : error
  }
}

async function copy(
  body: AsyncIterable<Buffer>,
  file: FileHandle,
  count: (bytes: number) => void,
): Promise<{ hash: string; size: number }> {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let size = 0
  for await (const chunk of body) {
    count(chunk.length)
    if (head.length < headBytes) {
      head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
      // Leaving the loop closes the connection.
      if (head.length === headBytes && isWebPage(head)) throw new FetchRefusal('not_a_file')
    }
    size += chunk.length
    hash.update(chunk)
    await file.appendFile(chunk)
  }
  if (size === 0) throw new FetchRefusal('empty')
  if (isWebPage(head)) throw new FetchRefusal('not_a_file')
  return { hash: hash.digest('hex'), size }
}
