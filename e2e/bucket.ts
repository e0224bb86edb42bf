import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

export interface Bucket {
  /** For STORAGE_URL. */
  url: string
  close(): Promise<void>
}

/** A third-party S3-compatible server with an empty bucket. */
export async function startBucket(): Promise<Bucket> {
  const directory = mkdtempSync(join(tmpdir(), 'wendou-bucket-'))
  const server = new S3rver({
    directory,
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // It computes the signature of a listing wrongly; the tests of the storage use a server that checks every one.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: 'wendou', configs: [] }],
  })
  const { port }: AddressInfo = await server.run()
  return {
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/wendou?ssl=false`,
    async close() {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
