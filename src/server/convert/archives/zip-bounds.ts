import { bytesOf, type Bytes } from './bytes.ts'
import { Unconvertible } from '../converter.ts'
import { type Budget, readEntry, readZip, type ZipEntry } from './zip.ts'

const unpackedLimit = 1e9
/** Pictures of one colour shrink a thousand times, text fifty: only what is big must not be too good to be true. */
const bigEntry = 50e6
const bigRatio = 150
/** Archives inside are looked into as far as this goes; what is left to the office program is left to its walls. */
const nestedBudget = 8e6
const deepest = 3

/** Refuses bombs by what the directory says, before anything is unpacked; archives inside are looked into. */
export async function boundZip(bytes: Bytes, entries: ZipEntry[]): Promise<void> {
  const unpacked = await unpackedSize(bytes, entries, { depth: 1, budget: { left: nestedBudget } })
  if (unpacked > unpackedLimit) throw new Unconvertible('tooLarge', `unpacks to ${unpacked}`)
}

async function unpackedSize(
  bytes: Bytes,
  entries: ZipEntry[],
  { depth, budget }: { depth: number; budget: Budget },
): Promise<number> {
  if (depth > deepest) throw new Unconvertible('tooLarge', 'archives in archives')
  let unpacked = 0
  for (const { name, size, packed } of entries) {
    unpacked += size
    if (size > bigEntry && size > packed * bigRatio) throw new Unconvertible('tooLarge', `${name} unpacks to ${size}`)
  }
  for (const entry of entries.filter(isArchive)) {
    if (unpacked > unpackedLimit) break
    if (Math.max(entry.size, entry.packed) > budget.left) continue
    const inner = bytesOf(await readEntry(bytes, entry, { limit: nestedBudget, budget }))
    unpacked += await unpackedSize(inner, await readNested(inner), { depth: depth + 1, budget })
  }
  return unpacked
}

function isArchive({ name }: ZipEntry): boolean {
  return /\.(docx|xlsx|pptx|docm|xlsm|pptm|od[tsp]|zip)$/i.test(name)
}

/** What only looks like an archive is not one: nobody will unpack it. */
async function readNested(bytes: Bytes): Promise<ZipEntry[]> {
  try {
    return await readZip(bytes)
  } catch (error) {
    if (error instanceof Unconvertible && error.reason === 'damaged') return []
    throw error
  }
}
