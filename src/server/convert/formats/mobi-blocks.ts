import { writeFile } from 'node:fs/promises'
import type { ByteReader } from '../archives/bytes.ts'
import { htmlToBlocks } from './html-blocks.ts'
import { readMobiText } from './mobi-text.ts'

const maxTextBytes = 128e6

/** Writes the blocks of a MOBI book. */
export async function writeMobiBlocks(input: ByteReader, target: string): Promise<void> {
  const { html } = await readMobiText(input, { bytesLeft: maxTextBytes })
  await writeFile(target, JSON.stringify(htmlToBlocks(html)))
}
