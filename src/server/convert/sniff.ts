import { buffered, type ByteReader, withFile } from './archives/bytes.ts'
import { type Format, type Probe, type OriginalFile, type UnnamedFile, Unconvertible } from './converter.ts'
import { detectEncoding, looksLikeText } from './formats/decode-text.ts'
import { assertReadableEpub } from './formats/epub-check.ts'
import { assertSafeOffice } from './office/check.ts'
import { compoundFileMagic, readCompoundFile } from './archives/ole.ts'
import { type Budget, readEntry, readZip, type ZipEntry } from './archives/zip.ts'
import { assertZipWithinLimits } from './archives/zip-bounds.ts'

/** Extensions that one program opens all of: a file may have any extension of the family its content belongs to. */
type Family = 'pdf' | 'word' | 'slides' | 'sheets' | 'text' | 'epub' | 'mobi' | 'chm' | 'umd'

interface SniffResult extends Probe {
  family: Family
}

const families: Record<Family, string> = {
  pdf: '.pdf',
  word: '.doc .docx .rtf .wps .odt .dot .dotx',
  slides: '.ppt .pptx .pps .ppsx .dps .odp .pot .potx',
  sheets: '.xls .xlsx .et .ods .csv .tsv',
  text: '.txt .md .markdown',
  epub: '.epub',
  mobi: '.mobi',
  chm: '.chm',
  umd: '.umd',
}
const familyByExt = new Map(
  Object.entries(families).flatMap(([family, list]) => list.split(' ').map((ext) => [ext, family as Family] as const)),
)

/** Limits what is inflated in the server's own process to identify an archive. */
const maxUnpackedBytes = 12e6

/** Detects the format from content and extension together. Throws `Unconvertible`. */
export async function sniff({ path, ext }: OriginalFile): Promise<Probe> {
  const family = familyByExt.get(ext)
  return withFile(path, async (file) => {
    const bytes = buffered(file)
    if (bytes.size === 0) throw new Unconvertible('empty')
    if (!family) throw new Unconvertible('unsupported', ext)
    const head = await bytes.read(0, 4096)
    const actual = (await sniffByMagic(bytes, head, ext)) ?? (await sniffText(bytes, head, ext))
    if (actual?.family !== family) throw new Unconvertible('mismatch', `${ext} is ${actual?.ext ?? '?'}`)
    return { format: actual.format, ext: actual.ext }
  })
}

/** The extension for a file whose name says nothing, or something wrong. */
export async function detectExt({ path, mayBeText }: UnnamedFile): Promise<string | undefined> {
  return withFile(path, async (file) => {
    const bytes = buffered(file)
    if (bytes.size === 0) return undefined
    const head = await bytes.read(0, 4096)
    const actual = (await sniffByMagic(bytes, head, '')) ?? (mayBeText ? await sniffProse(bytes, head) : undefined)
    return actual?.ext
  }).catch((error: unknown) => {
    if (error instanceof Unconvertible) return undefined
    throw error
  })
}

/** Text that is no markup: a page of a site that was sent in place of a file is not a document. */
async function sniffProse(bytes: ByteReader, head: Buffer): Promise<SniffResult | undefined> {
  const isMarkup = /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</.test(head.toString('latin1'))
  return isMarkup ? undefined : sniffText(bytes, head, '.txt')
}

async function sniffByMagic(bytes: ByteReader, head: Buffer, ext: string): Promise<SniffResult | undefined> {
  const starts = (magic: string) => head.subarray(0, magic.length).toString('latin1') === magic
  if (starts('PK\x03\x04') || starts('PK\x05\x06')) return sniffZip(bytes)
  if (head.subarray(0, 8).equals(compoundFileMagic)) return sniffCompoundFile(bytes)
  if (starts('{\\rtf')) return result('word', 'office', '.rtf')
  if (starts('ITSF')) return result('chm', 'chm', '.chm')
  if (starts('\xde\x9a\x9b\x89')) return result('umd', 'umd', '.umd')
  if (isMobi(head)) return sniffMobi(bytes, head)
  const header = head.subarray(0, 1024).indexOf('%PDF-')
  if (header === 0 || (header > 0 && ext === '.pdf')) return result('pdf', 'pdf', '.pdf')
  return undefined
}

/** Plain text, or a table: programs often save tables as text with the extension .xls. */
async function sniffText(bytes: ByteReader, head: Buffer, ext: string): Promise<SniffResult | undefined> {
  if (familyByExt.get(ext) !== 'text' && familyByExt.get(ext) !== 'sheets') return undefined
  const middle = await bytes.read(Math.floor(bytes.size / 4) * 2, 4096)
  if (isExecutable(head) || !looksLikeText(head)) return undefined
  // A sample of UTF-16 from the middle has no byte order mark, and may not be recognisable.
  if (!detectEncoding(head).startsWith('utf-16') && !looksLikeText(middle)) return undefined
  if (ext === '.txt') return result('text', 'text', '.txt')
  if (familyByExt.get(ext) === 'text') return result('text', 'markdown', '.md')
  const text = head.toString('latin1').replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
  if (ext !== '.csv' && ext !== '.tsv' && /^\s*</.test(text.replaceAll('\0', ''))) return undefined
  const hasTabs = ext === '.tsv' || (ext !== '.csv' && (text.split('\n')[0] ?? '').includes('\t'))
  return result('sheets', 'csv', hasTabs ? '.tsv' : '.csv')
}

function isExecutable(head: Buffer): boolean {
  return head.subarray(0, 2).toString('latin1') === 'MZ' || head.subarray(0, 4).toString('latin1') === '\x7fELF'
}

async function sniffZip(bytes: ByteReader): Promise<SniffResult | undefined> {
  const entries = await readZip(bytes)
  await assertZipWithinLimits(bytes, entries)
  const budget = { bytesLeft: maxUnpackedBytes }
  const actual = await zipFormat(bytes, entries, budget)
  if (!actual) return undefined
  if (entries.some(({ encrypted }) => encrypted)) throw new Unconvertible('encrypted', 'zip')
  if (actual.format === 'epub') await assertReadableEpub(bytes, entries, budget)
  else await assertSafeOffice(bytes, entries, budget)
  return actual
}

async function zipFormat(bytes: ByteReader, entries: ZipEntry[], budget: Budget): Promise<SniffResult | undefined> {
  const mimetype = await readTextEntry(
    bytes,
    entries.find(({ name }) => name === 'mimetype'),
    budget,
  )
  if (mimetype !== undefined) {
    const actual = openDocumentFormats[/^application\/vnd\.oasis\.opendocument\.(\w+)/.exec(mimetype)?.[1] ?? '']
    if (actual) return actual
  }
  const types = await readTextEntry(
    bytes,
    entries.find(({ name }) => name === '[Content_Types].xml'),
    budget,
  )
  if (types !== undefined) return ooxmlFormats.find(([type]) => types.includes(type))?.[1]
  const isEpub = entries.some(({ name }) => /^([^/]+\/)?META-INF\/container\.xml$/.test(name))
  return isEpub ? result('epub', 'epub', '.epub') : undefined
}

async function readTextEntry(
  bytes: ByteReader,
  entry: ZipEntry | undefined,
  budget: Budget,
): Promise<string | undefined> {
  if (!entry) return undefined
  const content = await readEntry(bytes, entry, { budget })
  const isWide = content[0] === 0xff && content[1] === 0xfe
  return content.toString(isWide ? 'utf16le' : 'utf8')
}

const openDocumentFormats: Record<string, SniffResult> = {
  text: result('word', 'office', '.odt'),
  presentation: result('slides', 'office', '.odp'),
  spreadsheet: result('sheets', 'office', '.ods'),
}

/** By the content type of the main part. */
const ooxmlFormats: [contentType: string, result: SniffResult][] = [
  ['wordprocessingml.document.main', result('word', 'office', '.docx')],
  ['wordprocessingml.template.main', result('word', 'office', '.docx')],
  ['ms-word.document.macroEnabled.main', result('word', 'office', '.docx')],
  ['ms-word.template.macroEnabledTemplate.main', result('word', 'office', '.docx')],
  ['presentationml.presentation.main', result('slides', 'office', '.pptx')],
  ['presentationml.slideshow.main', result('slides', 'office', '.pptx')],
  ['presentationml.template.main', result('slides', 'office', '.pptx')],
  ['ms-powerpoint.presentation.macroEnabled.main', result('slides', 'office', '.pptx')],
  ['ms-powerpoint.slideshow.macroEnabled.main', result('slides', 'office', '.pptx')],
  ['spreadsheetml.sheet.main', result('sheets', 'office', '.xlsx')],
  ['spreadsheetml.template.main', result('sheets', 'office', '.xlsx')],
  ['ms-excel.sheet.macroEnabled.main', result('sheets', 'office', '.xlsx')],
  ['ms-excel.sheet.binary.macroEnabled.main', result('sheets', 'office', '.xlsb')],
]

async function sniffCompoundFile(bytes: ByteReader): Promise<SniffResult | undefined> {
  const ole = await readCompoundFile(bytes)
  const has = (name: string) => ole.names.includes(name)
  if (has('EncryptedPackage') || has('EncryptionInfo') || has('EncryptedSummary')) throw new Unconvertible('encrypted')
  if (has('PowerPoint Document')) {
    const user = await ole.readStart('Current User', 16)
    if (user && user.length >= 16 && user.readUInt32LE(12) === 0xf3d1c4df) throw new Unconvertible('encrypted', 'ppt')
    return result('slides', 'office', '.ppt')
  }
  if (has('WordDocument')) {
    const header = await ole.readStart('WordDocument', 12)
    if (header && header.length >= 12 && (header.readUInt16LE(10) & 0x100) !== 0)
      throw new Unconvertible('encrypted', 'doc')
    return result('word', 'office', '.doc')
  }
  const workbook = ['Workbook', 'Book', 'WORKBOOK', 'BOOK'].find(has)
  if (workbook) {
    const records = (await ole.readStart(workbook, 4096)) ?? Buffer.alloc(0)
    if (hasPassword(records)) throw new Unconvertible('encrypted', 'xls')
    return result('sheets', 'office', '.xls')
  }
  if (has('MatOST') || has('MN0') || has('CONTENTS')) return result('word', 'office', '.wps')
  return undefined
}

/** An encrypted workbook has a FILEPASS record among its first ones. */
function hasPassword(records: Buffer): boolean {
  for (let at = 0; at + 4 <= records.length; at += 4 + records.readUInt16LE(at + 2)) {
    if (records.readUInt16LE(at) === 0x2f) return true
  }
  return false
}

function isMobi(head: Buffer): boolean {
  return ['BOOKMOBI', 'TEXtREAd'].includes(head.subarray(60, 68).toString('latin1'))
}

/** MuPDF reads neither KF8 (version 8, azw3) nor HUFF/CDIC compression (17480). */
async function sniffMobi(bytes: ByteReader, head: Buffer): Promise<SniffResult> {
  if (head.length < 82) throw new Unconvertible('damaged', 'mobi')
  const record = await bytes.read(head.readUInt32BE(78), 40)
  if (record.length < 16) throw new Unconvertible('damaged', 'mobi')
  if (record.readUInt16BE(12) !== 0) throw new Unconvertible('encrypted', 'mobi')
  const version =
    record.subarray(16, 20).toString('latin1') === 'MOBI' && record.length === 40 ? record.readUInt32BE(36) : 0
  if (version >= 8 || record.readUInt16BE(0) === 17_480) throw new Unconvertible('unsupported', `mobi ${version}`)
  return result('mobi', 'mobi', '.mobi')
}

function result(family: Family, format: Format, ext: string): SniffResult {
  return { family, format, ext }
}
