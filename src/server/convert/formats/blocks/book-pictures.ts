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
/** Different ones: an ornament may stand before each chapter. */
const maxPictures = 5000

/** Puts what is known of pictures in the place of their addresses; those that cannot be shown are left out. */
export function createPictures(find: (src: string) => Promise<BookPicture | undefined>) {
  const known = new Map<string, BookPicture | undefined>()
  const lookUp = async (src: string) => {
    if (!known.has(src) && known.size < maxPictures) known.set(src, await find(src))
    return known.get(src)
  }
  return async (blocks: readonly HtmlBlock[]) => {
    const result: unknown[] = []
    for (const block of blocks) {
      if (block.kind !== 'image') {
        result.push(block)
        continue
      }
      const found = await lookUp(block.src)
      if (!found) continue
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
  if (entry.method !== stored && entry.method !== deflated) return undefined
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
  budget: Budget,
): Promise<BookPicture | undefined> {
  if (!place || place.length > maxPictureBytes) return undefined
  const read = (length: number) => {
    budget.bytesLeft -= length
    return budget.bytesLeft < 0 ? Buffer.alloc(0) : input.read(place.at, length)
  }
  const start = await read(Math.min(place.length, pictureHeaderBytes))
  const header = readPictureHeader(start) ?? (isJpeg(start) ? readPictureHeader(await read(place.length)) : undefined)
  return header && { header, file: { ...place, isDeflated: false, size: place.length } }
}

/** The method of an entry in an archive. */
const stored = 0
const deflated = 8

function isJpeg(start: Buffer): boolean {
  return start[0] === 0xff && start[1] === 0xd8
}
