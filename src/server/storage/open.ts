import { join } from 'node:path'
import { diskStorage } from './disk.ts'
import { s3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

/** Empty is the disk, `s3://…` any S3-compatible server. An invalid URL throws a message for the owner. */
export async function openStorage(url: string, { dataDir }: { dataDir: string }): Promise<Storage> {
  if (!url) return diskStorage(join(dataDir, 'storage'))
  return s3Storage(url, { cacheFolder: join(dataDir, 'cache/storage') })
}
