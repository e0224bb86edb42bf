import { statSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeEpub } from '#server/samples/books.ts'
import { makeDocx } from '#server/samples/word.ts'
import { measureCpuMs } from '#server/testing/cpu-time.ts'
import { writeTempFile, tempFolder } from '#server/testing/folder.ts'
import { Unconvertible } from '../converter.ts'
import { openConverter } from '../open-converter.ts'
import { sniff } from '../sniff.ts'
import { diskUsage } from '../sandbox/usage.ts'

const types = { name: '[Content_Types].xml', data: deflateRawSync('<Types>wordprocessingml.document.main+xml</Types>') }
const zeros = deflateRawSync(Buffer.alloc(31e6, ' '))

test('many entries that share the same data are refused', async () => {
  const archives = Array.from({ length: 200 }, (_, index) => ({ name: `a${index}.zip`, size: 1000 }))
  expect(await sniffWithinCpuTime(writeZip([types], { data: zeros, entries: archives }))).toBe('damaged')
  const parts = Array.from({ length: 2000 }, (_, index) => ({ name: `a${index}.xml`, size: 1000 }))
  expect(await sniffWithinCpuTime(writeZip([types], { data: zeros, entries: parts }))).toBe('damaged')
})

test('nested archives that unpack to more than they state are refused', async () => {
  const nested = Array.from({ length: 20 }, (_, index) => ({ name: `a${index}.zip`, size: 1000, data: zeros }))
  expect(await sniffWithinCpuTime(writeZip([types, ...nested]))).toBe('damaged')
})

test('parts that begin with megabytes of blanks are refused', async () => {
  const parts = Array.from({ length: 300 }, (_, index) => ({ name: `a${index}.xml`, size: 3e6, data: zeros }))
  expect(await sniffWithinCpuTime(writeZip([types, ...parts]))).toBe('unsafe')
})

test('parts that are harmless one by one may be too large together', async () => {
  const data = deflateRawSync(Buffer.alloc(60_000, ' '))
  const parts = Array.from({ length: 4000 }, (_, index) => ({ name: `a${index}.xml`, size: 60_000, data }))
  expect(await sniffWithinCpuTime(writeZip([types, ...parts]))).toBe('tooLarge')
})

test.each(['<tbl ', '<w:tbl></w:tbl>', '<w:tbl', '<!--tbl'])(
  'five megabytes of %s do not block the server',
  async (sign) => {
    const body = Buffer.from('<w:document>' + sign.repeat(5e6 / sign.length))
    const part = { name: 'word/document.xml', size: body.length, data: deflateRawSync(body) }
    expect(await sniffWithinCpuTime(writeZip([types, part]))).toBe('office')
  },
)

test.each(['<w:tbl></w:tbl>', '<w:tbl '])('two megabytes of %s are checked quickly', async (sign) => {
  const body = Buffer.from('<w:document>' + sign.repeat(1.9e6 / sign.length))
  const part = { name: 'word/document.xml', size: body.length, data: deflateRawSync(body) }
  expect(await sniffWithinCpuTime(writeZip([types, part]))).toBe('office')
})

test('a very long list of encrypted parts does not block the server', async () => {
  const list = 'EncryptionMethod '.repeat(15_000)
  const book = makeEpub({ extra: { 'META-INF/encryption.xml': list } })
  expect(await sniffWithinCpuTime(Buffer.from(book), 'a.epub')).toBe('epub')
})

test('a document with thousands of parts is accepted', async () => {
  const slide = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\r\n<p:sld xmlns:p="a">一页</p:sld>')
  const data = deflateRawSync(slide)
  const size = slide.length
  const parts = Array.from({ length: 5000 }, (_, index) => ({ name: `ppt/slides/slide${index}.xml`, size, data }))
  expect(await sniffWithinCpuTime(writeZip([types, ...parts]), 'a.docx', 700)).toBe('office')
  expect(await sniffWithinCpuTime(Buffer.from(makeDocx()))).toBe('office')
})

test.each([
  ['a false size', 1000, 'damaged'],
  ['its true size', 80e6, undefined],
])('a large part of a book that is repacked, with %s', async (_, size, reason) => {
  const data = deflateRawSync(Buffer.alloc(80e6))
  const container = deflateRawSync('<rootfile full-path="a.opf"/>')
  const book = writeZip([
    { name: 'book/META-INF/container.xml', data: container },
    { name: 'book/a.opf', data, size },
  ])
  const folder = tempFolder()
  const converter = openConverter({ workDir: tempFolder(), processes: 1 })
  const job = converter.prepare(writeTempFile('a.epub', book), { format: 'epub', ext: '.epub' }, folder, {
    timeoutMs: 30_000,
  })
  if (reason) await expect(job).rejects.toMatchObject({ reason })
  else expect(statSync((await job).path).size).toBeGreaterThan(80e6)
  await converter.close()
  expect(diskUsage([folder])).toBeLessThan(reason ? 1e6 : 81e6)
})

/** The format or the reason. Limits CPU time: other work on the machine does not count. */
async function sniffWithinCpuTime(content: Buffer, name = 'a.docx', maxCpuMs = 400): Promise<string> {
  const original = writeTempFile(name, content)
  let result = ''
  const cpuMs = await measureCpuMs(async () => {
    result = await sniff(original).then(
      ({ format }) => format,
      (error: unknown) => (error instanceof Unconvertible ? error.reason : String(error)),
    )
  })
  expect(cpuMs).toBeLessThan(maxCpuMs)
  return result
}

interface Part {
  name: string
  data: Buffer
  size?: number
}

interface SharedData {
  data: Buffer
  entries: { name: string; size: number }[]
}

/** An archive with any sizes in its directory; all entries of `shared` have the same data. */
function writeZip(parts: Part[], shared?: SharedData): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  const addData = (name: string, data: Buffer) => {
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(8, 8)
    header.writeUInt16LE(Buffer.byteLength(name), 26)
    pieces.push(header, Buffer.from(name), data)
    at += 30 + Buffer.byteLength(name) + data.length
  }
  const addEntry = (name: string, stated: { packed: number; size: number; at: number }) => {
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(stated.packed, 20)
    entry.writeUInt32LE(stated.size, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(stated.at, 42)
    directory.push(entry, Buffer.from(name))
  }
  for (const { name, data, size = 1000 } of parts) {
    addEntry(name, { packed: data.length, size, at })
    addData(name, data)
  }
  if (shared) {
    for (const { name, size } of shared.entries) addEntry(name, { packed: shared.data.length, size, at })
    addData('shared', shared.data)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length + (shared?.entries.length ?? 0), 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, ...directory, end])
}
