import type { Bytes } from './bytes.ts'
import { Unconvertible } from './converter.ts'
import { readEntry, readOpening, streamEntry, type ZipEntry } from './zip.ts'

const deepestTable = 60

/** Refuses what harms or hangs the office program: passwords, entities of XML, tables in tables without end. */
export async function checkOffice(bytes: Bytes, entries: ZipEntry[]): Promise<void> {
  const manifest = entries.find(({ name }) => name === 'META-INF/manifest.xml')
  if (manifest && (await readEntry(bytes, manifest)).includes('encryption-data')) {
    throw new Unconvertible('encrypted', 'opendocument')
  }
  const isOpenDocument = manifest !== undefined
  for (const entry of entries) {
    if (!/\.(xml|rels|vml)$/i.test(entry.name) || entry.size === 0) continue
    const opening = xmlOpening(await readOpening(bytes, entry))
    if (hasEntities(opening, isOpenDocument)) throw new Unconvertible('unsafe', `document type in ${entry.name}`)
  }
  const body = entries.find(({ name }) => name === 'word/document.xml' || (isOpenDocument && name === 'content.xml'))
  if (body) await checkTables(bytes, body)
}

/** What stands before the root element, where alone a document type can be. */
function xmlOpening(start: Buffer): string {
  const isWide = start.length > 1 && (start[0] === 0 || start[1] === 0 || (start[0] ?? 0) >= 0xfe)
  const text = isWide ? start.toString('latin1').replaceAll('\0', '') : start.toString('latin1')
  const root = /<[A-Za-z_]/.exec(text)
  return root ? text.slice(0, root.index) : text
}

/** Office files have no document type; old OpenDocument files name one, without entities of their own. */
function hasEntities(opening: string, isOpenDocument: boolean): boolean {
  if (!/<!DOCTYPE/i.test(opening)) return false
  return !isOpenDocument || /<!DOCTYPE[^>]*\[|<!ENTITY/i.test(opening)
}

async function checkTables(bytes: Bytes, body: ZipEntry): Promise<void> {
  const edges = /<(\/?)(?:[\w-]+:)?(?:tbl|table)(?=[\s>])[^>]{0,2000}?(\/?)>/g
  let depth = 0
  let rest = ''
  for await (const chunk of streamEntry(bytes, body)) {
    const text = rest + chunk.toString('latin1')
    const whole = Math.max(text.lastIndexOf('<'), text.length - 4000, 0)
    for (const [, closing, empty] of text.slice(0, whole).matchAll(edges)) {
      if (!empty) depth += closing ? -1 : 1
      if (depth > deepestTable) throw new Unconvertible('tooLarge', `tables ${depth} deep in ${body.name}`)
    }
    rest = text.slice(whole)
  }
}
