import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { errors } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import { paced } from '../server/body-timeout.ts'

export interface ReceivedFile {
  path: string
  /** What the sender calls it: a stranger's text. */
  name: string
  size: number
  /** SHA-256. */
  hash: string
}

interface Expected {
  /** Where it is written to while it comes. */
  folder: string
  /** The largest file, in bytes. */
  limit: number
}

/** Other parts of a form, and the lines between them. */
const overhead = 64 * 1024

/**
 * Takes the file `file` out of a form, and hands it to `work` when it is whole. Afterwards nothing of it is left in the
 * folder, however it ended.
 */
export async function withReceivedFile<T>(
  request: Request,
  { folder, limit }: Expected,
  work: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  // A sender who tells the truth about a file that is too large need not send it.
  if (Number(request.headers.get('content-length') ?? 0) > limit + overhead) throw tooLarge(limit)
  const path = join(folder, randomUUID())
  try {
    return await work(await receive(request, path, limit))
  } finally {
    await rm(path, { force: true })
  }
}

async function receive(request: Request, path: string, limit: number): Promise<ReceivedFile> {
  const form = formOf(request, limit)
  if (!form || !request.body) throw errors.uploads.noFile()
  await mkdir(dirname(path), { recursive: true })

  const written: Promise<ReceivedFile>[] = []
  form.on('file', (field, stream, { filename }) => {
    if (field !== 'file' || written.length > 0) return stream.resume()
    // What goes on beyond the limit is cut there, not read to its end.
    stream.once('limit', () => stream.destroy(tooLarge(limit)))
    const file = write(stream, path).then((about) => ({ path, name: filename ?? '', ...about }))
    written.push(file)
    // A file that cannot be taken ends the reading of the whole form.
    file.catch((error: unknown) => form.destroy(error instanceof Error ? error : new Error(String(error))))
    return undefined
  })
  try {
    await pipeline(Readable.fromWeb(paced(request.body) as never), form)
  } catch (error) {
    await Promise.allSettled(written)
    throw isBrokenForm(error) ? errors.uploads.noFile() : error
  }
  const [file] = await Promise.all(written)
  if (!file) throw errors.uploads.noFile()
  return file
}

function formOf({ headers }: Request, limit: number): busboy.Busboy | undefined {
  const type = headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) return undefined
  try {
    return busboy({
      headers: { 'content-type': type },
      // One byte more: a file of just the limit is whole.
      limits: { files: 2, fields: 20, fieldSize: overhead, parts: 22, fileSize: limit + 1 },
      defParamCharset: 'utf8',
    })
  } catch {
    return undefined
  }
}

async function write(stream: Readable, path: string): Promise<{ size: number; hash: string }> {
  const hash = createHash('sha256')
  let size = 0
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  const file = createWriteStream(path, { flags: 'wx' })
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  try {
    await pipeline(stream, count, file)
  } finally {
    // One that breaks off while the file is being opened would leave it behind for whoever clears it away too soon.
    await closed
  }
  return { size, hash: hash.digest('hex') }
}

function isBrokenForm(error: unknown): boolean {
  return error instanceof Error && /Unexpected end of form|Malformed part header/.test(error.message)
}

function tooLarge(limit: number) {
  return errors.uploads.tooLarge(formatSize(limit))
}
