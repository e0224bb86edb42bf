import { buffered, type Bytes, withFile } from './archives/bytes.ts'
import { type Content, type Probe, type Source, Unconvertible } from './converter.ts'
import { encodingOf, looksLikeText } from './formats/decode-text.ts'
import { lookIntoEpub } from './formats/epub-check.ts'
import { checkOffice } from './office/check.ts'
import { oleMagic, readOle } from './archives/ole.ts'
import { type Budget, readEntry, readZip, type ZipEntry } from './archives/zip.ts'
import { boundZip } from './archives/zip-bounds.ts'

/** What people mean by an extension. Within a family programs read one another's files, so the content decides. */
type Family = 'pdf' | 'words' | 'slides' | 'sheets' | 'text' | 'epub' | 'mobi' | 'chm' | 'umd'

interface Found extends Probe {
  family: Family
}

const families: Record<Family, string> = {
  pdf: '.pdf',
  words: '.doc .docx .rtf .wps .odt .dot .dotx',
  slides: '.ppt .pptx .pps .ppsx .dps .odp .pot .potx',
  sheets: '.xls .xlsx .et .ods .csv .tsv',
  text: '.txt',
  epub: '.epub',
  mobi: '.mobi',
  chm: '.chm',
  umd: '.umd',
}
const familyOf = new Map(
  Object.entries(families).flatMap(([family, list]) => list.split(' ').map((ext) => [ext, family as Family] as const)),
)

/** All that may be unpacked to know what an archive is: the server has others to answer meanwhile. */
const unpackedBytes = 12e6

/** Decides by content and extension together what a file is. Throws `Unconvertible`. */
export async function sniff(source: Source): Promise<Probe> {
  const family = familyOf.get(source.ext)
  return withFile(source.path, async (file) => {
    const bytes = buffered(file)
    if (bytes.size === 0) throw new Unconvertible('empty')
    if (!family) throw new Unconvertible('unsupported', source.ext)
    const head = await bytes.read(0, 4096)
    const found = (await byMagic(bytes, head, source.ext)) ?? (await asText(bytes, head, source.ext))
    if (!found || found.family !== family) throw new Unconvertible('mismatch', `${source.ext} is ${found?.as ?? '?'}`)
    return { content: found.content, as: found.as }
  })
}

async function byMagic(bytes: Bytes, head: Buffer, ext: string): Promise<Found | undefined> {
  const starts = (magic: string) => head.subarray(0, magic.length).toString('latin1') === magic
  if (starts('PK\x03\x04') || starts('PK\x05\x06')) return fromZip(bytes)
  if (head.subarray(0, 8).equals(oleMagic)) return fromOle(bytes)
  if (starts('{\\rtf')) return found('words', 'office', '.rtf')
  if (starts('ITSF')) return found('chm', 'chm', '.chm')
  if (starts('\xde\x9a\x9b\x89')) return found('umd', 'umd', '.umd')
  if (isMobi(head)) return fromMobi(bytes, head)
  const header = head.subarray(0, 1024).indexOf('%PDF-')
  if (header === 0 || (header > 0 && ext === '.pdf')) return found('pdf', 'pdf', '.pdf')
  return undefined
}

/** Tables that were saved as text are often called .xls; everything else must be what its name says. */
async function asText(bytes: Bytes, head: Buffer, ext: string): Promise<Found | undefined> {
  if (familyOf.get(ext) !== 'text' && familyOf.get(ext) !== 'sheets') return undefined
  const middle = await bytes.read(Math.floor(bytes.size / 4) * 2, 4096)
  if (isProgram(head) || !looksLikeText(head)) return undefined
  // A piece of UTF-16 without its beginning may have nothing to know it by.
  if (!encodingOf(head).startsWith('utf-16') && !looksLikeText(middle)) return undefined
  if (ext === '.txt') return found('text', 'text', '.txt')
  const opening = head.toString('latin1').replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
  if (ext !== '.csv' && ext !== '.tsv' && /^\s*</.test(opening.replaceAll('\0', ''))) return undefined
  const tabs = ext === '.tsv' || (ext !== '.csv' && (opening.split('\n')[0] ?? '').includes('\t'))
  return found('sheets', 'csv', tabs ? '.tsv' : '.csv')
}

function isProgram(head: Buffer): boolean {
  return head.subarray(0, 2).toString('latin1') === 'MZ' || head.subarray(0, 4).toString('latin1') === '\x7fELF'
}

async function fromZip(bytes: Bytes): Promise<Found | undefined> {
  const entries = await readZip(bytes)
  await boundZip(bytes, entries)
  const budget = { left: unpackedBytes }
  const kind = await zipKind(bytes, entries, budget)
  if (!kind) return undefined
  if (entries.some(({ encrypted }) => encrypted)) throw new Unconvertible('encrypted', 'zip')
  if (kind.content === 'epub') await lookIntoEpub(bytes, entries, budget)
  else await checkOffice(bytes, entries, budget)
  return kind
}

async function zipKind(bytes: Bytes, entries: ZipEntry[], budget: Budget): Promise<Found | undefined> {
  const mimetype = await textOf(
    bytes,
    entries.find(({ name }) => name === 'mimetype'),
    budget,
  )
  if (mimetype !== undefined) {
    const kind = openDocuments[/^application\/vnd\.oasis\.opendocument\.(\w+)/.exec(mimetype)?.[1] ?? '']
    if (kind) return kind
  }
  const types = await textOf(
    bytes,
    entries.find(({ name }) => name === '[Content_Types].xml'),
    budget,
  )
  if (types !== undefined) return officeKinds.find(({ type }) => types.includes(type))?.kind
  const isBook = entries.some(({ name }) => /^([^/]+\/)?META-INF\/container\.xml$/.test(name))
  return isBook ? found('epub', 'epub', '.epub') : undefined
}

async function textOf(bytes: Bytes, entry: ZipEntry | undefined, budget: Budget): Promise<string | undefined> {
  if (!entry) return undefined
  const content = await readEntry(bytes, entry, { budget })
  const isWide = content[0] === 0xff && content[1] === 0xfe
  return content.toString(isWide ? 'utf16le' : 'utf8')
}

const openDocuments: Record<string, Found> = {
  text: found('words', 'office', '.odt'),
  presentation: found('slides', 'office', '.odp'),
  spreadsheet: found('sheets', 'office', '.ods'),
}

const officeKinds: { type: string; kind: Found }[] = [
  { type: 'wordprocessingml.document.main', kind: found('words', 'office', '.docx') },
  { type: 'wordprocessingml.template.main', kind: found('words', 'office', '.docx') },
  { type: 'ms-word.document.macroEnabled.main', kind: found('words', 'office', '.docx') },
  { type: 'ms-word.template.macroEnabledTemplate.main', kind: found('words', 'office', '.docx') },
  { type: 'presentationml.presentation.main', kind: found('slides', 'office', '.pptx') },
  { type: 'presentationml.slideshow.main', kind: found('slides', 'office', '.pptx') },
  { type: 'presentationml.template.main', kind: found('slides', 'office', '.pptx') },
  { type: 'ms-powerpoint.presentation.macroEnabled.main', kind: found('slides', 'office', '.pptx') },
  { type: 'ms-powerpoint.slideshow.macroEnabled.main', kind: found('slides', 'office', '.pptx') },
  { type: 'spreadsheetml.sheet.main', kind: found('sheets', 'office', '.xlsx') },
  { type: 'spreadsheetml.template.main', kind: found('sheets', 'office', '.xlsx') },
  { type: 'ms-excel.sheet.macroEnabled.main', kind: found('sheets', 'office', '.xlsx') },
  { type: 'ms-excel.sheet.binary.macroEnabled.main', kind: found('sheets', 'office', '.xlsb') },
]

async function fromOle(bytes: Bytes): Promise<Found | undefined> {
  const ole = await readOle(bytes)
  const has = (name: string) => ole.names.includes(name)
  if (has('EncryptedPackage') || has('EncryptionInfo') || has('EncryptedSummary')) throw new Unconvertible('encrypted')
  if (has('PowerPoint Document')) {
    const user = await ole.start('Current User', 16)
    if (user && user.length >= 16 && user.readUInt32LE(12) === 0xf3d1c4df) throw new Unconvertible('encrypted', 'ppt')
    return found('slides', 'office', '.ppt')
  }
  if (has('WordDocument')) {
    const header = await ole.start('WordDocument', 12)
    if (header && header.length >= 12 && (header.readUInt16LE(10) & 0x100) !== 0)
      throw new Unconvertible('encrypted', 'doc')
    return found('words', 'office', '.doc')
  }
  const book = ['Workbook', 'Book', 'WORKBOOK', 'BOOK'].find(has)
  if (book) {
    if (hasPassword((await ole.start(book, 4096)) ?? Buffer.alloc(0))) throw new Unconvertible('encrypted', 'xls')
    return found('sheets', 'office', '.xls')
  }
  if (has('MatOST') || has('MN0') || has('CONTENTS')) return found('words', 'office', '.wps')
  return undefined
}

/** A FILEPASS record among the first ones of the workbook. */
function hasPassword(records: Buffer): boolean {
  for (let at = 0; at + 4 <= records.length; at += 4 + records.readUInt16LE(at + 2)) {
    if (records.readUInt16LE(at) === 0x2f) return true
  }
  return false
}

function isMobi(head: Buffer): boolean {
  return ['BOOKMOBI', 'TEXtREAd'].includes(head.subarray(60, 68).toString('latin1'))
}

/** Version 8 alone, as in azw3, and books packed with the dictionary method are read by no free program we use. */
async function fromMobi(bytes: Bytes, head: Buffer): Promise<Found> {
  if (head.length < 82) throw new Unconvertible('damaged', 'mobi')
  const first = await bytes.read(head.readUInt32BE(78), 40)
  if (first.length < 16) throw new Unconvertible('damaged', 'mobi')
  if (first.readUInt16BE(12) !== 0) throw new Unconvertible('encrypted', 'mobi')
  const version =
    first.subarray(16, 20).toString('latin1') === 'MOBI' && first.length === 40 ? first.readUInt32BE(36) : 0
  if (version >= 8 || first.readUInt16BE(0) === 17_480) throw new Unconvertible('unsupported', `mobi ${version}`)
  return found('mobi', 'mobi', '.mobi')
}

function found(family: Family, content: Content, as: string): Found {
  return { family, content, as }
}
