import { bytesOf, type Bytes } from './bytes.ts'
import { Unconvertible } from './converter.ts'
import { readEntry, readZip, type ZipEntry } from './zip.ts'

const unpackedLimit = 1e9
/** Pictures of one colour shrink a thousand times, text fifty: only what is big must not be too good to be true. */
const bigEntry = 50e6
const bigRatio = 150
const nestedLimit = 32e6
const deepest = 3

/** Refuses bombs by what the directory says, before anything is unpacked; archives inside are looked into. */
export async function boundZip(bytes: Bytes, entries: ZipEntry[], depth = 1): Promise<number> {
  if (depth > deepest) throw new Unconvertible('tooLarge', 'archives in archives')
  let unpacked = 0
  for (const { name, size, packed } of entries) {
    unpacked += size
    if (size > bigEntry && size > packed * bigRatio) throw new Unconvertible('tooLarge', `${name} unpacks to ${size}`)
  }
  for (const entry of entries.filter(isArchive)) {
    if (unpacked > unpackedLimit) break
    const inner = bytesOf(await readEntry(bytes, entry, nestedLimit))
    unpacked += await boundZip(inner, await readNested(inner), depth + 1)
  }
  if (unpacked > unpackedLimit) throw new Unconvertible('tooLarge', `unpacks to ${unpacked}`)
  return unpacked
}

function isArchive({ name, size }: ZipEntry): boolean {
  return size <= nestedLimit && /\.(docx|xlsx|pptx|docm|xlsm|pptm|od[tsp]|zip)$/i.test(name)
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
