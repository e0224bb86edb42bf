import type { Bytes } from '../archives/bytes.ts'
import { Unconvertible } from '../converter.ts'
import { checkTables } from '../archives/table-depth.ts'
import { type Budget, readEntry, readOpening, readZip, type ZipEntry } from '../archives/zip.ts'

/** Each of them is looked at: more than a presentation of a thousand slides has. */
const mostParts = 6000
/** Packed bytes: nearly always the first few show the root element. */
const openingBytes = [256, 4096]
/** Reading tables of more than this takes too long for a server that has others to answer. */
const tablesAtOnce = 2e6

/**
 * Refuses what harms or hangs the office program: passwords, entities of XML, tables in tables without end. The tables of
 * a long document are left to `checkLongTables`.
 */
export async function checkOffice(bytes: Bytes, entries: ZipEntry[], budget: Budget): Promise<void> {
  const manifest = entries.find(({ name }) => name === manifestName)
  if (manifest && (await readEntry(bytes, manifest, { budget })).includes('encryption-data')) {
    throw new Unconvertible('encrypted', 'opendocument')
  }
  const isOpenDocument = manifest !== undefined
  const parts = entries.filter(({ name, size }) => size > 0 && /\.(xml|rels|vml)$/i.test(name))
  if (parts.length > mostParts) throw new Unconvertible('tooLarge', `${parts.length} parts`)
  for (const entry of parts) {
    const opening = await openingOf(bytes, entry, budget)
    if (hasEntities(opening, isOpenDocument)) throw new Unconvertible('unsafe', `document type in ${entry.name}`)
  }
  const body = bodyOf(entries)
  if (body && body.size <= tablesAtOnce) await checkTables(bytes, body)
}

/** In a process of its own. */
export async function checkLongTables(bytes: Bytes): Promise<void> {
  const body = bodyOf(await readZip(bytes))
  if (body) await checkTables(bytes, body)
}

export function hasLongTables(entries: ZipEntry[]): boolean {
  return (bodyOf(entries)?.size ?? 0) > tablesAtOnce
}

const manifestName = 'META-INF/manifest.xml'

function bodyOf(entries: ZipEntry[]): ZipEntry | undefined {
  const isOpenDocument = entries.some(({ name }) => name === manifestName)
  return entries.find(({ name }) => name === 'word/document.xml' || (isOpenDocument && name === 'content.xml'))
}

/** What stands before the root element, where alone a document type can be. */
async function openingOf(bytes: Bytes, entry: ZipEntry, budget: Budget): Promise<string> {
  for (const packedBytes of openingBytes) {
    const start = await readOpening(bytes, entry, { packedBytes, budget })
    const isWide = start.length > 1 && (start[0] === 0 || start[1] === 0 || (start[0] ?? 0) >= 0xfe)
    const text = isWide ? start.toString('latin1').replaceAll('\0', '') : start.toString('latin1')
    const root = /<[A-Za-z_]/.exec(text)
    if (root) return text.slice(0, root.index)
    if (start.length >= entry.size) return text
  }
  throw new Unconvertible('unsafe', `${entry.name} does not begin`)
}

/** Office files have no document type; old OpenDocument files name one, without entities of their own. */
function hasEntities(opening: string, isOpenDocument: boolean): boolean {
  const at = opening.search(/<!DOCTYPE/i)
  if (at < 0) return false
  if (!isOpenDocument || /<!ENTITY/i.test(opening)) return true
  const end = opening.indexOf('>', at)
  return opening.slice(at, end < 0 ? undefined : end).includes('[')
}
