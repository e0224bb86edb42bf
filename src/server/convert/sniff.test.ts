import { expect, test } from 'vitest'
import { makeEpub, makeMobi, makeUmd } from '#server/samples/books.ts'
import { makeOdp, makeOds, makeOdt } from '#server/samples/open-document.ts'
import { pack } from '#server/samples/pack.ts'
import { makeCsv, makeXlsx } from '#server/samples/sheets.ts'
import { makePptx } from '#server/samples/slides.ts'
import { encodeBig5, encodeGbk, makeText } from '#server/samples/text.ts'
import { makeRtf } from '#server/samples/rtf.ts'
import { makeDocx } from '#server/samples/word.ts'
import { writeTempFile } from '#server/testing/folder.ts'
import { makeOle } from '#server/samples/ole.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { Unconvertible } from './converter.ts'
import { detectExt, sniff } from './sniff.ts'

const doc = makeOle({ WordDocument: Buffer.alloc(4096) })
const xls = makeOle({ Workbook: Buffer.from('09081000', 'hex') })
const ppt = makeOle({ 'PowerPoint Document': Buffer.alloc(4096), 'Current User': Buffer.alloc(64) })
const zipped = (name: string) => pack({ [name]: 'x' })

test.each([
  ['a.pdf', makePdf(), 'pdf', '.pdf'],
  ['a.docx', makeDocx(), 'office', '.docx'],
  ['a.rtf', makeRtf(), 'office', '.rtf'],
  ['a.odt', makeOdt(), 'office', '.odt'],
  ['a.doc', doc, 'office', '.doc'],
  ['a.dot', doc, 'office', '.doc'],
  ['a.wps', doc, 'office', '.doc'],
  ['a.wps', makeOle({ MatOST: Buffer.alloc(9) }), 'office', '.wps'],
  ['a.pptx', makePptx(), 'office', '.pptx'],
  ['a.odp', makeOdp(), 'office', '.odp'],
  ['a.dps', ppt, 'office', '.ppt'],
  ['a.pot', ppt, 'office', '.ppt'],
  ['a.xlsx', makeXlsx(), 'office', '.xlsx'],
  ['a.ods', makeOds(), 'office', '.ods'],
  ['a.et', xls, 'office', '.xls'],
  ['a.csv', encodeGbk(makeCsv()), 'csv', '.csv'],
  ['a.tsv', makeCsv(undefined, '\t'), 'csv', '.tsv'],
  ['a.txt', encodeGbk(makeText()), 'text', '.txt'],
  ['a.txt', encodeBig5('這是一本書'), 'text', '.txt'],
  ['a.txt', Buffer.from(`\ufeff${makeText()}`, 'utf16le'), 'text', '.txt'],
  ['a.txt', Buffer.from(makeText(), 'utf16le').swap16(), 'text', '.txt'],
  ['a.txt', Buffer.from(`\ufeff${'\u4e01\u5e7f'.repeat(9000)}`, 'utf16le'), 'text', '.txt'],
  ['a.epub', makeEpub(), 'epub', '.epub'],
  ['a.epub', makeEpub({ wrapper: 'book/' }), 'epub', '.epub'],
  ['a.mobi', makeMobi(), 'mobi', '.mobi'],
  ['a.md', '# 标题', 'markdown', '.md'],
  ['a.markdown', '# 标题', 'markdown', '.md'],
  ['a.umd', makeUmd(), 'umd', '.umd'],
  ['a.chm', 'ITSF\x03\0\0\0', 'chm', '.chm'],
])('%s is recognised by its content', async (name, content, format, ext) => {
  expect(await sniff(writeTempFile(name, content))).toEqual({ format, ext })
})

test.each([
  ['a docx file called .doc', 'a.doc', makeDocx(), '.docx'],
  ['a doc file called .docx', 'a.docx', doc, '.doc'],
  ['rich text called .doc', 'a.doc', makeRtf(), '.rtf'],
  ['a workbook called .csv', 'a.csv', makeXlsx(), '.xlsx'],
  ['a table in text called .xls', 'a.xls', makeCsv(undefined, '\t'), '.tsv'],
  ['a pptx file called .pps', 'a.pps', makePptx(), '.pptx'],
])('%s is read as what it is', async (_, name, content, ext) => {
  expect((await sniff(writeTempFile(name, content))).ext).toBe(ext)
})

test.each([
  ['nothing', 'a.docx', '', 'empty'],
  ['nothing', 'a.txt', '', 'empty'],
  ['a web page called .docx', 'a.docx', '<html><body>你好</body></html>', 'mismatch'],
  ['a web page called .xls', 'a.xls', '<html><table></table></html>', 'mismatch'],
  ['a PDF called .docx', 'a.docx', makePdf(), 'mismatch'],
  ['a Word file called .pdf', 'a.pdf', makeDocx(), 'mismatch'],
  ['a Word file called .xlsx', 'a.xlsx', makeDocx(), 'mismatch'],
  ['slides called .doc', 'a.doc', ppt, 'mismatch'],
  ['a program called .txt', 'a.txt', 'MZ\x90 this program cannot be run', 'mismatch'],
  ['noise called .txt', 'a.txt', noise(5000), 'mismatch'],
  ['noise called .docx', 'a.docx', noise(50_000), 'mismatch'],
  ['noise called .csv', 'a.csv', noise(5000), 'mismatch'],
  ['an archive called .docx', 'a.docx', zipped('readme.txt'), 'mismatch'],
  ['text called .pdf', 'a.pdf', '你好', 'mismatch'],
  ['a truncated docx file', 'a.docx', makeDocx().subarray(0, 1500), 'damaged'],
  ['a truncated doc file', 'a.doc', doc.subarray(0, 700), 'damaged'],
  [
    'a Word file with a password',
    'a.docx',
    makeOle({ EncryptedPackage: noise(9000), EncryptionInfo: noise(99) }),
    'encrypted',
  ],
  [
    'an old Word file with a password',
    'a.doc',
    makeOle({ WordDocument: Buffer.from('eca5c1000000000000000001', 'hex') }),
    'encrypted',
  ],
  [
    'an old workbook with a password',
    'a.xls',
    makeOle({ Workbook: Buffer.from('09080400000000002f000200ffff', 'hex') }),
    'encrypted',
  ],
  [
    'old slides with a password',
    'a.ppt',
    makeOle({
      'PowerPoint Document': noise(9),
      'Current User': Buffer.from('0000f60f2000000014000000dfc4d1f3', 'hex'),
    }),
    'encrypted',
  ],
  [
    'an OpenDocument with a password',
    'a.odt',
    pack({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'META-INF/manifest.xml': '<manifest:encryption-data/>',
    }),
    'encrypted',
  ],
  [
    'a book with DRM',
    'a.epub',
    makeEpub({
      extra: {
        'META-INF/encryption.xml': '<EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>',
      },
    }),
    'encrypted',
  ],
  [
    'a book without a package document',
    'a.epub',
    pack({ 'META-INF/container.xml': '<rootfile full-path="a.opf"/>' }),
    'damaged',
  ],
  ['an encrypted mobi', 'a.mobi', makeMobi({ encryption: 2 }), 'encrypted'],
  ['a mobi of version 8', 'a.mobi', makeMobi({ version: 8 }), 'unsupported'],
  ['an azw3 book', 'a.azw3', makeMobi({ version: 8 }), 'unsupported'],
  ['an image', 'a.png', 'PNG', 'unsupported'],
])('%s (%s) is refused with its reason', async (_, name, content, reason) => {
  expect(await reasonFor(name, content)).toBe(reason)
})

test('obfuscated fonts do not count as DRM', async () => {
  const extra = { 'META-INF/encryption.xml': '<EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/>' }
  expect(await sniff(writeTempFile('a.epub', makeEpub({ extra })))).toMatchObject({ format: 'epub' })
})

test('a zip bomb is refused by the sizes in its directory, without being unpacked', async () => {
  const bomb = withSize(makeDocx(), 'word/document.xml', 1_200_000_000)
  expect(await reasonFor('a.docx', bomb)).toBe('tooLarge')
})

test('more than twenty thousand parts are too many', async () => {
  const crowded = Buffer.from(makeDocx())
  crowded.writeUInt16LE(20_001, crowded.length - 22 + 10)
  expect(await reasonFor('a.docx', crowded)).toBe('tooLarge')
})

test('the sizes of nested archives are added up', async () => {
  const inner = withSize(pack({ 'a.xml': 'x' }), 'a.xml', 1_100_000_000)
  expect(await reasonFor('a.docx', pack({ 'word/embeddings/a.xlsx': inner }))).toBe('tooLarge')
})

test.each([
  ['an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'],
  ['entities that expand', '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;">]>'],
])('%s in an office file is refused', async (_, doctype) => {
  const content = pack({
    '[Content_Types].xml': '<Types>wordprocessingml.document.main+xml</Types>',
    'word/document.xml': `<?xml version="1.0"?>${doctype}<w:document/>`,
  })
  expect(await reasonFor('a.docx', content)).toBe('unsafe')
  const wide = pack({
    '[Content_Types].xml': '<Types>wordprocessingml.document.main+xml</Types>',
    'word/document.xml': Buffer.from(`\ufeff<?xml version="1.0"?>${doctype}<w:document/>`, 'utf16le'),
  })
  expect(await reasonFor('a.docx', wide)).toBe('unsafe')
})

test('tables nested deeper than sixty levels are refused', async () => {
  const nested = (depth: number) => '<w:tbl><w:tr><w:tc>'.repeat(depth) + '</w:tc></w:tr></w:tbl>'.repeat(depth)
  expect(await sniff(writeTempFile('a.docx', makeDocx({ body: nested(50) })))).toMatchObject({ format: 'office' })
  expect(await reasonFor('a.docx', makeDocx({ body: nested(200) }))).toBe('tooLarge')
})

async function reasonFor(name: string, content: Uint8Array | string): Promise<string> {
  try {
    await sniff(writeTempFile(name, content))
    return 'accepted'
  } catch (error) {
    if (error instanceof Unconvertible) return error.reason
    throw error
  }
}

function noise(length: number): Buffer {
  let state = 42
  return Buffer.from(Array.from({ length }, () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16))
}

/** Writes another unpacked size for an entry into the directory. */
function withSize(zip: Uint8Array, name: string, size: number): Uint8Array {
  const bytes = Buffer.from(zip)
  bytes.writeUInt32LE(size, bytes.lastIndexOf(name) - 46 + 24)
  return bytes
}

test.each([
  ['a PDF', makePdf(), '.pdf'],
  ['a Word file', makeDocx(), '.docx'],
  ['an old workbook', xls, '.xls'],
  ['a book', makeEpub(), '.epub'],
  ['a text', encodeGbk(makeText()), '.txt'],
  ['a page', Buffer.from('\ufeff\n<html>', 'utf16le'), undefined],
  ['an archive', zipped('a.txt'), undefined],
  ['a damaged archive', 'PK\x03\x04', undefined],
  ['a program', 'MZ\x90\0', undefined],
  ['nothing', '', undefined],
])('%s without a name gets the extension of its content', async (_, content, ext) => {
  expect(await detectExt({ path: writeTempFile('a', content).path, mayBeText: true })).toBe(ext)
})

test('a text whose name says something else is not taken for a text', async () => {
  expect(await detectExt({ path: writeTempFile('a', makeText()).path, mayBeText: false })).toBeUndefined()
})
