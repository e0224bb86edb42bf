import type { ByteReader } from '../archives/bytes.ts'
import { Unconvertible } from '../converter.ts'
import { assertTableDepth } from '../archives/table-depth.ts'
import { type Budget, readEntry, readEntryStart, readZip, type ZipEntry } from '../archives/zip.ts'

/** The prolog of each XML part is read. A presentation of a thousand slides has fewer. */
const maxParts = 6000
/** Packed bytes: the root element nearly always begins within the first few. */
const prologReads = [256, 4096]
/** A longer body would block the event loop: its tables are checked in a child process. */
const maxInlineTableBytes = 2e6

/**
 * Refuses files that harm or hang LibreOffice: encrypted ones, XML entities, deeply nested tables. The tables of a long
 * document are left to `assertLongTableDepth`.
 */
export async function assertSafeOffice(bytes: ByteReader, entries: ZipEntry[], budget: Budget): Promise<void> {
  const manifest = entries.find(({ name }) => name === manifestName)
  if (manifest && (await readEntry(bytes, manifest, { budget })).includes('encryption-data')) {
    throw new Unconvertible('encrypted', 'opendocument')
  }
  const isOpenDocument = manifest !== undefined
  const parts = entries.filter(({ name, size }) => size > 0 && /\.(xml|rels|vml)$/i.test(name))
  if (parts.length > maxParts) throw new Unconvertible('tooLarge', `${parts.length} parts`)
  for (const entry of parts) {
    const prolog = await readProlog(bytes, entry, budget)
    if (hasUnsafeDoctype(prolog, isOpenDocument)) throw new Unconvertible('unsafe', `document type in ${entry.name}`)
  }
  const body = findBody(entries)
  if (body && body.size <= maxInlineTableBytes) await assertTableDepth(bytes, body)
}

/** For a child process: reads the whole body. */
export async function assertLongTableDepth(bytes: ByteReader): Promise<void> {
  const body = findBody(await readZip(bytes))
  if (body) await assertTableDepth(bytes, body)
}

export function hasLongTables(entries: ZipEntry[]): boolean {
  return (findBody(entries)?.size ?? 0) > maxInlineTableBytes
}

const manifestName = 'META-INF/manifest.xml'

function findBody(entries: ZipEntry[]): ZipEntry | undefined {
  const isOpenDocument = entries.some(({ name }) => name === manifestName)
  return entries.find(({ name }) => name === 'word/document.xml' || (isOpenDocument && name === 'content.xml'))
}

/** The text before the root element, the only place for a document type. */
async function readProlog(bytes: ByteReader, entry: ZipEntry, budget: Budget): Promise<string> {
  for (const packedBytes of prologReads) {
    const start = await readEntryStart(bytes, entry, { packedBytes, budget })
    const isWide = start.length > 1 && (start[0] === 0 || start[1] === 0 || (start[0] ?? 0) >= 0xfe)
    const text = isWide ? start.toString('latin1').replaceAll('\0', '') : start.toString('latin1')
    const root = /<[A-Za-z_]/.exec(text)
    if (root) return text.slice(0, root.index)
    if (start.length >= entry.size) return text
  }
  throw new Unconvertible('unsafe', `${entry.name} has no root element`)
}

/** OOXML has no document type; old OpenDocument files name one, without an internal subset. */
function hasUnsafeDoctype(prolog: string, isOpenDocument: boolean): boolean {
  const at = prolog.search(/<!DOCTYPE/i)
  if (at < 0) return false
  if (!isOpenDocument || /<!ENTITY/i.test(prolog)) return true
  const end = prolog.indexOf('>', at)
  return prolog.slice(at, end < 0 ? undefined : end).includes('[')
}
