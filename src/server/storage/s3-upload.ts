import type * as S3 from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { explainS3Error } from './s3-errors.ts'

type Upload = (key: string, body: Readable | Uint8Array) => Promise<void>

const partSize = 8 * 1024 * 1024

/**
 * Uploads a body of any length: in one request if it fits into a part, else as a multipart upload. A part is sent while
 * the next one is read, so memory holds two. Parts are buffers, so that the client can retry them.
 */
export function s3Upload(sdk: typeof S3, client: S3.S3Client, bucket: string): Upload {
  return async (key, body) => {
    const object = { Bucket: bucket, Key: key }
    const parts = splitIntoParts(body)
    try {
      const first = await parts.next()
      const Body = first.value ?? Buffer.alloc(0)
      if (Body.length === partSize) await sendInParts(object, first, parts)
      else await client.send(new sdk.PutObjectCommand({ ...object, Body })).catch(throwExplained)
    } finally {
      // Closes a body that was not read to its end.
      await parts.return(undefined)
    }
  }

  async function sendInParts(
    object: ObjectName,
    first: IteratorResult<Buffer>,
    rest: AsyncGenerator<Buffer>,
  ): Promise<void> {
    const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(object)).catch(throwExplained)
    const upload = { ...object, UploadId }
    try {
      const Parts: S3.CompletedPart[] = []
      for (let part = first; !part.done;) {
        const PartNumber = Parts.length + 1
        // Both are awaited even after an error, so that no part is still being sent when the upload is aborted.
        const [sent, next] = await Promise.allSettled([
          client.send(new sdk.UploadPartCommand({ ...upload, PartNumber, Body: part.value })).catch(throwExplained),
          rest.next(),
        ])
        if (next.status === 'rejected') throw next.reason
        if (sent.status === 'rejected') throw sent.reason
        Parts.push({ PartNumber, ETag: sent.value.ETag })
        part = next.value
      }
      await client
        .send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
        .catch(throwExplained)
    } catch (error) {
      // The first error counts; parts that cannot be deleted are left to the bucket's lifecycle rules.
      await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => {})
      throw error
    }
  }
}

interface ObjectName {
  Bucket: string
  Key: string
}

function throwExplained(error: unknown): never {
  throw explainS3Error(error)
}

/**
 * All parts but the last have exactly `partSize` bytes. Two buffers are used in turn: the client has sent a part when the
 * part after the next is requested.
 */
async function* splitIntoParts(body: Readable | Uint8Array): AsyncGenerator<Buffer, undefined> {
  let part = Buffer.allocUnsafeSlow(64 * 1024)
  let spare: Buffer<ArrayBuffer> | undefined
  let length = 0
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    for (let rest = toBuffer(chunk); rest.length > 0;) {
      part = ensureCapacity(part, length, rest.length)
      const copied = rest.copy(part, length)
      rest = rest.subarray(copied)
      length += copied
      if (length < partSize) continue
      yield part
      ;[part, spare] = [spare ?? Buffer.allocUnsafeSlow(partSize), part]
      length = 0
    }
  }
  if (length > 0) yield part.subarray(0, length)
}

/** Capacity for `more` bytes after the first `length`, at most `partSize`. */
function ensureCapacity(part: Buffer<ArrayBuffer>, length: number, more: number): Buffer<ArrayBuffer> {
  if (part.length >= Math.min(length + more, partSize)) return part
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(part.length * 2, length + more), partSize))
  part.copy(larger, 0, 0, length)
  return larger
}

function toBuffer(chunk: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk)
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  throw new TypeError('the body is not a stream of bytes')
}
