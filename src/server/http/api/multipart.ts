import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { errors } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import { withBodyTimeout } from '../server/body-timeout.ts'

export interface ReceivedFile {
  path: string
  /** As sent: untrusted. */
  name: string
  size: number
  /** SHA-256. */
  hash: string
}

interface ReceiveOptions {
  /** For the temporary file. */
  folder: string
  /** The maximum size of the file, in bytes. */
  limit: number
}

/** Of the other parts of the form and their boundaries. */
const formOverhead = 64 * 1024

/**
 * Saves the part `file` of a form to a temporary file and passes it to `work` when it is complete. The temporary file is
 * removed afterwards, also after an error.
 */
export async function withReceivedFile<T>(
  request: Request,
  { folder, limit }: ReceiveOptions,
  work: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  // Refuses a large body by its declared length, before it is sent.
  if (Number(request.headers.get('content-length') ?? 0) > limit + formOverhead) throw tooLarge(limit)
  const path = join(folder, randomUUID())
  try {
    return await work(await receive(request, path, limit))
  } finally {
    await rm(path, { force: true })
  }
}

async function receive(request: Request, path: string, limit: number): Promise<ReceivedFile> {
  const form = createParser(request, limit)
  if (!form || !request.body) throw errors.uploads.noFile()
  await mkdir(dirname(path), { recursive: true })

  const files: Promise<ReceivedFile>[] = []
  form.on('file', (field, stream, { filename }) => {
    if (field !== 'file' || files.length > 0) return stream.resume()
    // Beyond the limit the rest is not read.
    stream.once('limit', () => stream.destroy(tooLarge(limit)))
    const file = saveAndHash(stream, path).then((content) => ({ path, name: filename ?? '', ...content }))
    files.push(file)
    // A file that cannot be saved stops the parsing of the form.
    file.catch((error: unknown) => form.destroy(error instanceof Error ? error : new Error(String(error))))
    return undefined
  })
  try {
    await pipeline(Readable.fromWeb(withBodyTimeout(request.body) as never), form)
  } catch (error) {
    await Promise.allSettled(files)
    throw isBrokenForm(error) ? errors.uploads.noFile() : error
  }
  const [file] = await Promise.all(files)
  if (!file) throw errors.uploads.noFile()
  return file
}

function createParser({ headers }: Request, limit: number): busboy.Busboy | undefined {
  const type = headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) return undefined
  try {
    return busboy({
      headers: { 'content-type': type },
      // One byte more, as a file of exactly the limit is allowed.
      limits: { files: 2, fields: 20, fieldSize: formOverhead, parts: 22, fileSize: limit + 1 },
      defParamCharset: 'utf8',
    })
  } catch {
    return undefined
  }
}

async function saveAndHash(stream: Readable, path: string): Promise<{ size: number; hash: string }> {
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
    // If the stream breaks while the file is being opened, the file appears only afterwards and would not be removed.
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
