import { type ByteReader } from '../../archives/bytes.ts'
import { findEntryData, readEntry, readEntryStart, type Budget, type ZipEntry } from '../../archives/zip.ts'
import { Unconvertible } from '../../converter.ts'
import type { HtmlBlock } from './html-blocks.ts'
import { pictureHeaderBytes, readPictureHeader, type PictureHeader } from './picture-header.ts'

/** Where a picture lies in the file that it is a part of. */
export interface PictureFile {
  at: number
  length: number
  isDeflated: boolean
  /** Unpacked. */
  size: number
}

interface BookPicture {
  header: PictureHeader
  file: PictureFile
}

/** Unpacked: a picture for print has more, one for a screen much less. */
const maxPictureBytes = 6e6
const maxPictures = 5000

/** Puts what is known of pictures in the place of their addresses; those that cannot be shown are left out. */
export function createPictures(find: (src: string) => Promise<BookPicture | undefined>) {
  let count = 0
  return async (blocks: readonly HtmlBlock[]) => {
    const result: unknown[] = []
    for (const block of blocks) {
      if (block.kind !== 'image') {
        result.push(block)
        continue
      }
      const found = count < maxPictures ? await find(block.src) : undefined
      if (!found) continue
      count += 1
      const { width, height } = found.header
      result.push({ kind: 'picture', width, height, alt: block.alt, file: found.file })
    }
    return result
  }
}

/** A picture of an archive, by its entry. */
export async function readEntryPicture(
  input: ByteReader,
  entry: ZipEntry | undefined,
  budget: Budget,
): Promise<BookPicture | undefined> {
  if (!entry || entry.encrypted || entry.size > maxPictureBytes || entry.packedSize > maxPictureBytes) return undefined
  if (entry.method !== 0 && entry.method !== deflated) return undefined
  try {
    const start = await readEntryStart(input, entry, { packedBytes: pictureHeaderBytes, budget })
    const header =
      readPictureHeader(start) ??
      (isJpeg(start)
        ? readPictureHeader(await readEntry(input, entry, { maxBytes: maxPictureBytes, budget }))
        : undefined)
    if (!header) return undefined
    const at = await findEntryData(input, entry)
    return { header, file: { at, length: entry.packedSize, isDeflated: entry.method === deflated, size: entry.size } }
  } catch (error) {
    if (error instanceof Unconvertible) return undefined
    throw error
  }
}

/** A picture that lies in the file as it is. */
export async function readPlainPicture(
  input: ByteReader,
  place: { at: number; length: number } | undefined,
): Promise<BookPicture | undefined> {
  if (!place || place.length > maxPictureBytes) return undefined
  const header = readPictureHeader(await input.read(place.at, place.length))
  return header && { header, file: { ...place, isDeflated: false, size: place.length } }
}

/** The method of an entry in an archive. */
const deflated = 8

function isJpeg(start: Buffer): boolean {
  return start[0] === 0xff && start[1] === 0xd8
}
