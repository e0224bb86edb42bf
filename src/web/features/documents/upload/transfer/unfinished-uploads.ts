import * as z from 'zod/mini'
import { fingerprint, type FileInfo } from '#web/features/documents/upload/acceptance.ts'
import { local } from '#web/lib/browser/storage.ts'

/** Uploads that were started and not finished. The browser cannot store the file, but how much of it was sent. */

const UnfinishedUpload = z.object({
  user: z.number(),
  name: z.string(),
  size: z.number(),
  lastModified: z.number(),
  /** Empty if the file could not be hashed. */
  hash: z.string(),
  url: z.string(),
  /** Not 0 once the whole file is uploaded and only publishing is missing. */
  attachment: z.number(),
  sent: z.number(),
  title: z.string(),
  at: z.number(),
})
export type UnfinishedUpload = z.output<typeof UnfinishedUpload>

/** What the server has of a file. */
export type ServerState = Pick<UnfinishedUpload, 'hash' | 'url' | 'attachment'>

/** As long as the server keeps them. */
const maxAgeMs = 24 * 60 * 60_000
const maxEntries = 200
const key = 'wendou-uploads'

export const unfinishedUploads = {
  of: (user: number): UnfinishedUpload[] => ownUnfinished(readAll(), { user, now: Date.now() }),
  save: (upload: UnfinishedUpload): void => writeAll(withUnfinished(readAll(), upload)),
  remove: (user: number, file: FileInfo): void => writeAll(without(readAll(), { user, file })),
}

/** The user's uploads that the server still has. */
export function ownUnfinished(
  list: readonly UnfinishedUpload[],
  { user, now }: { user: number; now: number },
): UnfinishedUpload[] {
  return list.filter((upload) => upload.user === user && now - upload.at < maxAgeMs && upload.at <= now)
}

/** By name, size and date; the content is compared when it has been hashed. */
export function findUnfinished(list: readonly UnfinishedUpload[], file: FileInfo): UnfinishedUpload | undefined {
  return list.find((upload) => fingerprint(upload) === fingerprint(file))
}

/** Nothing can be reused for a file with another hash. */
export function reusableState({ hash, url, attachment }: ServerState, fileHash: string): ServerState {
  const isOther = hash !== '' && fileHash !== '' && hash !== fileHash
  return isOther ? { hash: fileHash, url: '', attachment: 0 } : { hash: fileHash || hash, url, attachment }
}

export function withUnfinished(list: readonly UnfinishedUpload[], upload: UnfinishedUpload): UnfinishedUpload[] {
  const others = without(list, { user: upload.user, file: upload })
  return [...others.filter(({ at }) => upload.at - at < maxAgeMs), upload].slice(-maxEntries)
}

function without(
  list: readonly UnfinishedUpload[],
  { user, file }: { user: number; file: FileInfo },
): UnfinishedUpload[] {
  return list.filter((upload) => upload.user !== user || fingerprint(upload) !== fingerprint(file))
}

/** Not cached: other windows write to the storage too. */
function readAll(): UnfinishedUpload[] {
  try {
    return z.parse(z.array(UnfinishedUpload), JSON.parse(local.read(key) ?? '[]'))
  } catch {
    return []
  }
}

function writeAll(list: readonly UnfinishedUpload[]): void {
  if (list.length > 0) local.write(key, JSON.stringify(list))
  else local.remove(key)
}
