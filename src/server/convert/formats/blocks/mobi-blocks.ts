import { writeFile } from 'node:fs/promises'
import type { ByteReader } from '../../archives/bytes.ts'
import type { Budget } from '../../archives/zip.ts'
import { createPictures, readPlainPicture } from './book-pictures.ts'
import { htmlToBlocks } from './html-blocks.ts'
import { readMobiText } from './mobi-text.ts'

const maxTextBytes = 128e6
/** To learn what they are: records may overlap. */
const maxPictureBytes = 512e6

/** Writes the blocks of a MOBI book. */
export async function writeMobiBlocks(input: ByteReader, target: string): Promise<void> {
  const { html, firstPicture, record } = await readMobiText(input, { bytesLeft: maxTextBytes })
  const pictures: Budget = { bytesLeft: maxPictureBytes }
  const withPictures = createPictures(async (number) =>
    /^\d{1,6}$/.test(number) ? readPlainPicture(input, record(firstPicture + Number(number) - 1), pictures) : undefined,
  )
  await writeFile(target, JSON.stringify(await withPictures(htmlToBlocks(html))))
}
