import * as z from 'zod/mini'
import { local } from '#web/lib/storage.ts'
import { fingerprint, type FileFacts } from '#web/features/documents/upload/acceptance.ts'

/** Uploads that were begun and not finished. Browsers cannot keep a file, but they can keep how far it had come. */

const Leftover = z.object({
  user: z.number(),
  name: z.string(),
  size: z.number(),
  lastModified: z.number(),
  /** Empty when the file could not be read through beforehand. */
  hash: z.string(),
  url: z.string(),
  /** Not 0 once all of it has come and only the publishing is missing. */
  attachment: z.number(),
  sent: z.number(),
  title: z.string(),
  at: z.number(),
})
export type Leftover = z.output<typeof Leftover>

/** As long as the server keeps them. */
const keptMs = 24 * 60 * 60_000
const most = 200
const key = 'wendou-uploads'

export const leftovers = {
  of: (user: number): Leftover[] => current(stored(), { user, now: Date.now() }),
  keep: (leftover: Leftover): void => write(withLeftover(stored(), leftover)),
  forget: (user: number, file: FileFacts): void => write(without(stored(), { user, file })),
}

/** One's own that the server still has. */
export function current(list: readonly Leftover[], { user, now }: { user: number; now: number }): Leftover[] {
  return list.filter((one) => one.user === user && now - one.at < keptMs && one.at <= now)
}

/** The same name, size and date are taken for the same file; what it holds is compared once it has been read. */
export function leftoverOf(list: readonly Leftover[], file: FileFacts): Leftover | undefined {
  return list.find((one) => fingerprint(one) === fingerprint(file))
}

/** What of a leftover can be used for a file with this hash. */
export function usable({ hash, url, attachment }: Reusable, found: string): Reusable {
  const isOther = hash !== '' && found !== '' && hash !== found
  return isOther ? { hash: found, url: '', attachment: 0 } : { hash: found || hash, url, attachment }
}

export type Reusable = Pick<Leftover, 'hash' | 'url' | 'attachment'>

export function withLeftover(list: readonly Leftover[], leftover: Leftover): Leftover[] {
  const others = without(list, { user: leftover.user, file: leftover })
  return [...others.filter(({ at }) => leftover.at - at < keptMs), leftover].slice(-most)
}

function without(list: readonly Leftover[], { user, file }: { user: number; file: FileFacts }): Leftover[] {
  return list.filter((one) => one.user !== user || fingerprint(one) !== fingerprint(file))
}

/** Read anew each time: other windows write here too. */
function stored(): Leftover[] {
  try {
    return z.parse(z.array(Leftover), JSON.parse(local.read(key) ?? '[]'))
  } catch {
    return []
  }
}

function write(list: readonly Leftover[]): void {
  if (list.length > 0) local.write(key, JSON.stringify(list))
  else local.remove(key)
}
