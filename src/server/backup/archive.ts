import { createHash } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BackupError, entriesPerSums, entryNames, type Manifest, sumLine, sumsName } from './format.ts'
import { archiveEnd, entryHead, filling } from './tar.ts'

/** A backup that is being written. It gets its name when it is complete. */
export interface Archive {
  add(name: string, body: Uint8Array): Promise<void>
  /** The body must have `size` bytes; gives its SHA-256. */
  stream(name: string, size: number, body: AsyncIterable<Uint8Array>): Promise<string>
  /** Writes the manifest, and gives the file its name. Returns its size. */
  finish(manifest: Omit<Manifest, 'sums'>): Promise<number>
  abandon(): Promise<void>
}

const partialName = /^\..+\.\d+\.wendou\.partial(\.list)?$/
const dayMs = 24 * 60 * 60 * 1000

/** wendou-20261115-164500.tar by this machine's clock. */
export function backupName(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString()
  return `wendou-${local.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.tar`
}

/** Where a backup is written until it is complete. */
export function partialPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.wendou.partial`)
}

/** Removes what killed backups have left in this folder; only after a day, as another backup may still be running. */
export async function sweepPartials(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!partialName.test(name)) continue
    const stats = await stat(join(folder, name)).catch(() => undefined)
    if (stats && stats.mtimeMs < Date.now() - dayMs) await rm(join(folder, name), { force: true })
  }
}

/** It has password hashes and signing keys: only the account that creates it may read it. */
export async function openArchive(path: string, at: number, signal?: AbortSignal): Promise<Archive> {
  const partial = partialPath(path)
  await rm(partial, { force: true })
  const file = await open(partial, 'wx', 0o600)
  const sums: string[] = []
  let lines: string[] = []
  let size = 0

  const write = async (...pieces: Uint8Array[]) => {
    signal?.throwIfAborted()
    const { bytesWritten } = await file.writev(pieces)
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (bytesWritten !== length) throw new BackupError('备份没有写完，磁盘可能已满')
    size += length
  }
  const put = (name: string, body: Uint8Array) => write(entryHead(name, body.length, at), body, filling(body.length))
  const recordSum = async (name: string, sha256: string) => {
    lines.push(sumLine(name, sha256))
    if (lines.length >= entriesPerSums) await writeSums()
  }
  const writeSums = async () => {
    if (lines.length === 0) return
    const body = Buffer.from(lines.join(''))
    lines = []
    sums.push(toSha256(body))
    await put(sumsName(sums.length), body)
  }

  return {
    async add(name, body) {
      await put(name, body)
      await recordSum(name, toSha256(body))
    },
    async stream(name, length, body) {
      const hash = createHash('sha256')
      let bytesWritten = 0
      await write(entryHead(name, length, at))
      for await (const chunk of body) {
        hash.update(chunk)
        bytesWritten += chunk.length
        await write(chunk)
      }
      if (bytesWritten !== length) throw new BackupError(`${name} 的长度与记录不符（${bytesWritten} / ${length} 字节）`)
      await write(filling(length))
      const sha256 = hash.digest('hex')
      await recordSum(name, sha256)
      return sha256
    },
    async finish(manifest) {
      await writeSums()
      const body = Buffer.from(JSON.stringify({ ...manifest, sums } satisfies Manifest, null, 2))
      await put(entryNames.manifest, body)
      await put(entryNames.manifestSum, Buffer.from(sumLine(entryNames.manifest, toSha256(body))))
      await write(archiveEnd)
      await file.sync()
      await file.close()
      await rename(partial, path)
      await syncFolder(dirname(path))
      return size
    },
    async abandon() {
      await file.close().catch(() => {})
      await rm(partial, { force: true })
    },
  }
}

export function toSha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
