import { writeFile } from 'node:fs/promises'
import { posix } from 'node:path'
import type { ByteReader } from '../../archives/bytes.ts'
import { type Budget, readEntry, readZip, type ZipEntry } from '../../archives/zip.ts'
import { createPictures, readEntryPicture } from './book-pictures.ts'
import { decodeText } from '../decode-text.ts'
import { htmlToBlocks } from './html-blocks.ts'

/** Unpacked: the text of the longest books has a tenth of it. */
const maxTextBytes = 128e6
const maxBlocks = 400_000
/** Unpacked, to learn what they are. */
const maxPictureBytes = 256e6

/** Writes the blocks of a book in the order of its spine. */
export async function writeEpubBlocks(input: ByteReader, target: string): Promise<void> {
  const entries = new Map((await readZip(input)).map((entry) => [entry.name, entry]))
  const budget: Budget = { bytesLeft: maxTextBytes }
  const read = async (path: string) => readText(input, entries.get(path), budget)
  const container = await read('META-INF/container.xml')
  const packagePath = /full-path\s*=\s*["']([^"']{1,1000})/.exec(container)?.[1] ?? ''
  const pictures: Budget = { bytesLeft: maxPictureBytes }
  const withPictures = createPictures((path) => readEntryPicture(input, entries.get(path), pictures))
  const blocks: unknown[] = []
  for (const path of spineOf(await read(packagePath), posix.dirname(packagePath))) {
    if (blocks.length > maxBlocks) break
    const chapter = htmlToBlocks(await read(path)).map((block) =>
      block.kind === 'image' ? { ...block, src: resolvePath(posix.dirname(path), block.src) } : block,
    )
    for (const block of await withPictures(chapter)) blocks.push(block)
  }
  await writeFile(target, JSON.stringify(blocks))
}

async function readText(input: ByteReader, entry: ZipEntry | undefined, budget: Budget): Promise<string> {
  return entry ? decodeText(await readEntry(input, entry, { budget })).text : ''
}

/** The paths of the chapters in their order. */
function spineOf(packageXml: string, folder: string): string[] {
  const hrefs = new Map<string, string>()
  for (const [tag] of packageXml.matchAll(/<(?:\w+:)?item\s[^>]{1,4000}>/g))
    hrefs.set(attribute(tag, 'id'), attribute(tag, 'href'))
  return [...packageXml.matchAll(/<(?:\w+:)?itemref\s[^>]{1,2000}>/g)].flatMap(([tag]) => {
    const href = hrefs.get(attribute(tag, 'idref'))
    return href ? [resolvePath(folder, href)] : []
  })
}

function resolvePath(folder: string, href: string): string {
  return posix.normalize(posix.join(folder, decode(href.replace(/[#?].*$/, ''))))
}

function attribute(tag: string, name: string): string {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? []
  return (double ?? single ?? '').replaceAll('&amp;', '&')
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
