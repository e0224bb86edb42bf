import { statSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeEpub } from '#server/samples/books.ts'
import { makeDocx } from '#server/samples/word.ts'
import { placeFile, tempFolder } from '#server/testing/folder.ts'
import { Unconvertible } from '../converter.ts'
import { openConverter } from '../open-converter.ts'
import { sniff } from '../sniff.ts'
import { writtenBytes } from '../sandbox/usage.ts'

const types = { name: '[Content_Types].xml', data: deflateRawSync('<Types>wordprocessingml.document.main+xml</Types>') }
const zeros = deflateRawSync(Buffer.alloc(31e6, ' '))

test('many names for one packed piece are refused at once', async () => {
  const archives = Array.from({ length: 200 }, (_, index) => ({ name: `a${index}.zip`, size: 1000 }))
  expect(await judged(writeZip([types], { data: zeros, entries: archives }))).toBe('damaged')
  const parts = Array.from({ length: 2000 }, (_, index) => ({ name: `a${index}.xml`, size: 1000 }))
  expect(await judged(writeZip([types], { data: zeros, entries: parts }))).toBe('damaged')
})

test('an archive inside that unpacks to more than it claims is refused at that point', async () => {
  const liars = Array.from({ length: 20 }, (_, index) => ({ name: `a${index}.zip`, size: 1000, data: zeros }))
  expect(await judged(writeZip([types, ...liars]))).toBe('damaged')
})

test('parts that open with the same sign without end are refused', async () => {
  const parts = Array.from({ length: 300 }, (_, index) => ({ name: `a${index}.xml`, size: 3e6, data: zeros }))
  expect(await judged(writeZip([types, ...parts]))).toBe('unsafe')
})

test('parts that unpack to a little too much each are too much together', async () => {
  const data = deflateRawSync(Buffer.alloc(60_000, ' '))
  const parts = Array.from({ length: 4000 }, (_, index) => ({ name: `a${index}.xml`, size: 60_000, data }))
  expect(await judged(writeZip([types, ...parts]))).toBe('tooLarge')
})

test.each(['<tbl ', '<w:tbl></w:tbl>', '<w:tbl', '<!--tbl'])(
  'five megabytes of %s are not read sign by sign',
  async (sign) => {
    const body = Buffer.from('<w:document>' + sign.repeat(5e6 / sign.length))
    const part = { name: 'word/document.xml', size: body.length, data: deflateRawSync(body) }
    expect(await judged(writeZip([types, part]))).toBe('office')
  },
)

test.each(['<w:tbl></w:tbl>', '<w:tbl '])('nor two of %s for long', async (sign) => {
  const body = Buffer.from('<w:document>' + sign.repeat(1.9e6 / sign.length))
  const part = { name: 'word/document.xml', size: body.length, data: deflateRawSync(body) }
  expect(await judged(writeZip([types, part]))).toBe('office')
})

test('a list of locked parts without end does not hold anybody up', async () => {
  const list = 'EncryptionMethod '.repeat(15_000)
  const book = makeEpub({ extra: { 'META-INF/encryption.xml': list } })
  expect(await judged(Buffer.from(book), 'a.epub')).toBe('epub')
})

test('a document with thousands of honest parts is still read', async () => {
  const slide = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\r\n<p:sld xmlns:p="a">一页</p:sld>')
  const data = deflateRawSync(slide)
  const size = slide.length
  const parts = Array.from({ length: 5000 }, (_, index) => ({ name: `ppt/slides/slide${index}.xml`, size, data }))
  expect(await judged(writeZip([types, ...parts]), 'a.docx', 700)).toBe('office')
  expect(await judged(Buffer.from(makeDocx()))).toBe('office')
})

test.each([
  ['a lie about its size', 1000, 'damaged'],
  ['no lie at all', 80e6, undefined],
])('a part that grows while a book is packed anew, with %s', async (_, size, reason) => {
  const data = deflateRawSync(Buffer.alloc(80e6))
  const container = deflateRawSync('<rootfile full-path="a.opf"/>')
  const book = writeZip([
    { name: 'book/META-INF/container.xml', data: container },
    { name: 'book/a.opf', data, size },
  ])
  const folder = tempFolder()
  const converter = openConverter({ folder: tempFolder(), processes: 1 })
  const job = converter.prepare(placeFile('a.epub', book), { content: 'epub', as: '.epub' }, folder, {
    timeoutMs: 30_000,
  })
  if (reason) await expect(job).rejects.toMatchObject({ reason })
  else expect(statSync((await job).path).size).toBeGreaterThan(80e6)
  await converter.close()
  expect(writtenBytes([folder])).toBeLessThan(reason ? 1e6 : 81e6)
})

/** Processor time, not the clock: other work on the machine does not count. */
async function judged(content: Buffer, name = 'a.docx', mostMs = 400): Promise<string> {
  const source = placeFile(name, content)
  const before = process.cpuUsage()
  const result = await sniff(source).then(
    ({ content }) => content,
    (error: unknown) => (error instanceof Unconvertible ? error.reason : String(error)),
  )
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(mostMs)
  return result
}

interface Part {
  name: string
  data: Buffer
  size?: number
}

interface Shared {
  data: Buffer
  entries: { name: string; size: number }[]
}

/** An archive that claims what it is told to; all names of `shared` lead to one place. */
function writeZip(parts: Part[], shared?: Shared): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  const place = (name: string, data: Buffer) => {
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(8, 8)
    header.writeUInt16LE(Buffer.byteLength(name), 26)
    pieces.push(header, Buffer.from(name), data)
    at += 30 + Buffer.byteLength(name) + data.length
  }
  const list = (name: string, claim: { packed: number; size: number; at: number }) => {
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(claim.packed, 20)
    entry.writeUInt32LE(claim.size, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(claim.at, 42)
    directory.push(entry, Buffer.from(name))
  }
  for (const { name, data, size = 1000 } of parts) {
    list(name, { packed: data.length, size, at })
    place(name, data)
  }
  if (shared) {
    for (const { name, size } of shared.entries) list(name, { packed: shared.data.length, size, at })
    place('shared', shared.data)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length + (shared?.entries.length ?? 0), 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, ...directory, end])
}
