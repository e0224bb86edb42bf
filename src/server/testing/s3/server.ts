import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openBucket, type Bucket } from './objects.ts'
import { operations, S3Error, tag, xml, type S3Response } from './operations.ts'
import { accessKeyId, verifySignature, secretAccessKey } from './signature.ts'

interface TestS3 {
  /** For STORAGE_URL. */
  url: string
  /** Makes the next requests fail: `busy` answers 503, `broken` cuts the connection in the middle of a body. */
  failNext(how: 'busy' | 'broken', times: number): void
  /** Multipart uploads that were neither completed nor aborted. */
  openUploads(): number
  close(): Promise<void>
}

/** An S3 server with one bucket, as strict as the real one in what the product relies on. */
export async function startS3(): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), 'wendou-s3-'))
  const bucket = openBucket(folder)
  const trouble = { busy: 0, broken: 0 }
  const server = createServer((request, response) => {
    serve(bucket, request, response, trouble).catch((error: unknown) => sendError(request, response, error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [key, secret] = [accessKeyId, secretAccessKey].map(encodeURIComponent)

  return {
    url: `s3://${key}:${secret}@127.0.0.1:${port}/${bucketName}?ssl=false`,
    failNext(how, times) {
      trouble[how] = times
    },
    openUploads: () => bucket.uploads.size,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const bucketName = 'wendou'

async function serve(
  bucket: Bucket,
  request: IncomingMessage,
  response: ServerResponse,
  trouble: { busy: number; broken: number },
): Promise<void> {
  if (trouble.busy-- > 0) throw new S3Error('SlowDown', 503)
  const answer = await handle(bucket, request)
  response.writeHead(answer.status ?? 200, answer.headers)
  if (!(answer.body instanceof Readable)) {
    response.end(answer.body)
    return
  }
  if (trouble.broken-- > 0) {
    response.write(answer.body.read(1) ?? 'x', () => response.destroy())
    answer.body.destroy()
    return
  }
  await pipeline(answer.body, response)
}

async function handle(bucket: Bucket, request: IncomingMessage): Promise<S3Response> {
  const code = verifySignature(request)
  if (code) throw new S3Error(code, 403)

  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost')
  const [, name, ...rest] = pathname.split('/').map(decodeURIComponent)
  if (name !== bucketName) throw new S3Error('NoSuchBucket', 404)

  const key = rest.join('/')
  const meant = ['uploads', 'uploadId', 'delete', 'list-type'].find((flag) => query.has(flag))
  const operation = operations[`${request.method} ${key ? 'object' : 'bucket'}${meant ? `?${meant}` : ''}`]
  if (!operation) throw new S3Error('NotImplemented', 501)
  return operation({ bucket, key, query, request })
}

function sendError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  request.resume()
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const { code, status } = error instanceof S3Error ? error : new S3Error('InternalError', 500)
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(request.method === 'HEAD' ? undefined : xml('Error', tag('Code', code) + tag('Message', String(error))))
}
