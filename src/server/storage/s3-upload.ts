import type * as S3 from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { s3Refusal } from './s3-refusal.ts'

type Upload = (key: string, body: Readable | Uint8Array) => Promise<void>

const partSize = 8 * 1024 * 1024

/**
 * Sends a body of any length: what fits into one part at once, more in parts. One part travels while the next one is
 * read, so memory holds two. Parts are whole in memory, so that the client can send one again.
 */
export function s3Upload(sdk: typeof S3, client: S3.S3Client, bucket: string): Upload {
  return async (key, body) => {
    const object = { Bucket: bucket, Key: key }
    const parts = partsOf(body)
    try {
      const first = await parts.next()
      const Body = first.value ?? Buffer.alloc(0)
      if (Body.length === partSize) await sendInParts(object, first, parts)
      else await client.send(new sdk.PutObjectCommand({ ...object, Body })).catch(refused)
    } finally {
      // Lets go of a body that was not read to its end.
      await parts.return(undefined)
    }
  }

  async function sendInParts(
    object: ObjectName,
    first: IteratorResult<Buffer>,
    rest: AsyncGenerator<Buffer>,
  ): Promise<void> {
    const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(object)).catch(refused)
    const upload = { ...object, UploadId }
    try {
      const Parts: S3.CompletedPart[] = []
      for (let part = first; !part.done;) {
        const PartNumber = Parts.length + 1
        // Both are awaited whatever happens, so that nothing still travels when the upload is aborted.
        const [sent, next] = await Promise.allSettled([
          client.send(new sdk.UploadPartCommand({ ...upload, PartNumber, Body: part.value })).catch(refused),
          rest.next(),
        ])
        if (next.status === 'rejected') throw next.reason
        if (sent.status === 'rejected') throw sent.reason
        Parts.push({ PartNumber, ETag: sent.value.ETag })
        part = next.value
      }
      await client
        .send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
        .catch(refused)
    } catch (error) {
      // The reason of the failure counts; parts that cannot be dropped either are left to the bucket's own rules.
      await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => {})
      throw error
    }
  }
}

interface ObjectName {
  Bucket: string
  Key: string
}

function refused(error: unknown): never {
  throw s3Refusal(error)
}

/**
 * All but the last are exactly one part long. Two buffers take turns, because the client holds on to what it has sent for
 * a while: whoever asks for the next part but one is done with this one.
 */
async function* partsOf(body: Readable | Uint8Array): AsyncGenerator<Buffer, undefined> {
  let part = Buffer.allocUnsafeSlow(64 * 1024)
  let spare: Buffer<ArrayBuffer> | undefined
  let length = 0
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    for (let rest = bytesOf(chunk); rest.length > 0;) {
      part = withRoom(part, length, rest.length)
      const taken = rest.copy(part, length)
      rest = rest.subarray(taken)
      length += taken
      if (length < partSize) continue
      yield part
      ;[part, spare] = [spare ?? Buffer.allocUnsafeSlow(partSize), part]
      length = 0
    }
  }
  if (length > 0) yield part.subarray(0, length)
}

/** Room for `more` bytes behind the first `length`, as far as a part goes. */
function withRoom(part: Buffer<ArrayBuffer>, length: number, more: number): Buffer<ArrayBuffer> {
  if (part.length >= Math.min(length + more, partSize)) return part
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(part.length * 2, length + more), partSize))
  part.copy(larger, 0, 0, length)
  return larger
}

function bytesOf(chunk: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk)
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  throw new TypeError('a body brings bytes')
}
