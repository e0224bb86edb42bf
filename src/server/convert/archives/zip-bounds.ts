import { type ByteReader, readerOfBuffer } from './bytes.ts'
import { Unconvertible } from '../converter.ts'
import { type Budget, readEntry, readZip, type ZipEntry } from './zip.ts'

const maxUnpackedBytes = 1e9
/** Small entries may be of any ratio: an image of one colour shrinks a thousandfold, text fiftyfold. */
const largeEntryBytes = 50e6
const maxRatio = 150
/** Nested archives are inspected up to this size; larger ones are left to the limits of the sandbox. */
const nestedBudgetBytes = 8e6
const maxNesting = 3

/** Refuses zip bombs by the sizes in the directory, before anything is unpacked; nested archives are inspected too. */
export async function assertZipWithinLimits(bytes: ByteReader, entries: ZipEntry[]): Promise<void> {
  const unpacked = await unpackedSize(bytes, entries, { depth: 1, budget: { bytesLeft: nestedBudgetBytes } })
  if (unpacked > maxUnpackedBytes) throw new Unconvertible('tooLarge', `unpacks to ${unpacked}`)
}

async function unpackedSize(
  bytes: ByteReader,
  entries: ZipEntry[],
  { depth, budget }: { depth: number; budget: Budget },
): Promise<number> {
  if (depth > maxNesting) throw new Unconvertible('tooLarge', 'archives in archives')
  let unpacked = 0
  for (const { name, size, packedSize } of entries) {
    unpacked += size
    if (size > largeEntryBytes && size > packedSize * maxRatio)
      throw new Unconvertible('tooLarge', `${name} unpacks to ${size}`)
  }
  for (const entry of entries.filter(isArchive)) {
    if (unpacked > maxUnpackedBytes) break
    if (Math.max(entry.size, entry.packedSize) > budget.bytesLeft) continue
    const inner = readerOfBuffer(await readEntry(bytes, entry, { maxBytes: nestedBudgetBytes, budget }))
    unpacked += await unpackedSize(inner, await readNested(inner), { depth: depth + 1, budget })
  }
  return unpacked
}

function isArchive({ name }: ZipEntry): boolean {
  return /\.(docx|xlsx|pptx|docm|xlsm|pptm|od[tsp]|zip)$/i.test(name)
}

/** An entry that is named like an archive but is none will not be unpacked. */
async function readNested(bytes: ByteReader): Promise<ZipEntry[]> {
  try {
    return await readZip(bytes)
  } catch (error) {
    if (error instanceof Unconvertible && error.reason === 'damaged') return []
    throw error
  }
}
