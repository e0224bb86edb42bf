import { Document, PDFDocument } from 'mupdf'
import type { FailureReason } from '#shared/conversion.ts'
import { makeEpub, makeMobi } from '#server/samples/books.ts'
import { makeOle } from '#server/samples/ole.ts'
import { pack } from '#server/samples/pack.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeEndlessPdf } from '#server/samples/raw-pdf.ts'
import { makeDocx } from '#server/samples/word.ts'

/** A malicious or broken file, and its expected outcome: refused with a message, failed with a reason, or shown. */
export interface HostileFile {
  name: string
  bytes: (mark: string) => Uint8Array
  expected: { refused: string } | { failed: FailureReason; or?: FailureReason } | { pages: number }
  /** Ends only after several timeouts. */
  slow?: boolean
}

const mismatch = { refused: '文件内容与扩展名不符，请检查文件' }
const word = '<Types>wordprocessingml.document.main+xml</Types>'

export const hostileFiles: HostileFile[] = [
  { name: '空.docx', bytes: () => new Uint8Array(), expected: { refused: '文件是空的，请检查后重新选择' } },
  {
    name: '网页.docx',
    bytes: (mark) => Buffer.from(`<html><img src="http://127.0.0.1/">${mark}</html>`),
    expected: mismatch,
  },
  { name: '冒充.docx', bytes: (mark) => makePdf({ title: mark }), expected: mismatch },
  { name: '程序.txt', bytes: (mark) => Buffer.from(`MZ\x90\0${mark}`), expected: mismatch },
  {
    name: '加密.docx',
    bytes: (mark) => makeOle({ EncryptedPackage: Buffer.from(mark) }),
    expected: { failed: 'encrypted' },
  },
  { name: '加密.pdf', bytes: lockedPdf, expected: { failed: 'encrypted' } },
  { name: '加密.mobi', bytes: (mark) => makeMobi({ title: mark, encryption: 2 }), expected: { failed: 'encrypted' } },
  {
    name: '书店的.epub',
    bytes: (mark) =>
      makeEpub({ title: mark, extra: { 'META-INF/encryption.xml': '<EncryptionMethod Algorithm="aes128-cbc"/>' } }),
    expected: { failed: 'encrypted' },
  },
  { name: '半截.docx', bytes: (mark) => half(makeDocx({ title: mark })), expected: { failed: 'damaged' } },
  {
    name: '损坏.pdf',
    bytes: (mark) => Buffer.from(`%PDF-1.7\n${mark}\n${'x'.repeat(500)}`),
    expected: { failed: 'damaged' },
  },
  {
    name: '残缺.docx',
    bytes: (mark) => pack({ '[Content_Types].xml': word, 'word/document.xml': `<w:document ${mark}` }),
    expected: { failed: 'damaged' },
  },
  {
    name: '零页.pdf',
    bytes: (mark) => plainPdf(mark, ['<< /Type /Pages /Kids [] /Count 0 >>']),
    expected: { failed: 'damaged' },
  },
  {
    name: '循环.pdf',
    bytes: (mark) => plainPdf(mark, ['<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>']),
    expected: { failed: 'damaged' },
  },
  {
    name: '两万页.pdf',
    bytes: (mark) => plainPdf(mark, [`<< /Type /Pages /Kids [${'3 0 R '.repeat(20_001)}] /Count 20001 >>`, pageOf()]),
    expected: { failed: 'tooManyPages' },
  },
  {
    name: '巨大的页面.pdf',
    bytes: (mark) => plainPdf(mark, [pagesOf(1), pageOf('0 0 10000000 10000000')]),
    expected: { pages: 1 },
  },
  {
    name: '压缩炸弹.docx',
    bytes: (mark) => pack({ '[Content_Types].xml': word, 'word/document.xml': bomb, [mark]: '' }),
    expected: { failed: 'tooLarge' },
  },
  {
    name: '表中表.docx',
    bytes: (mark) =>
      makeDocx({ title: mark, body: '<w:tbl><w:tr><w:tc>'.repeat(200) + '</w:tc></w:tr></w:tbl>'.repeat(200) }),
    expected: { failed: 'tooLarge' },
  },
  {
    name: '外部实体.docx',
    bytes: (mark) =>
      pack({
        '[Content_Types].xml': word,
        'word/document.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><w:document>${mark}&b;</w:document>`,
      }),
    expected: { failed: 'unsafe' },
  },
  { name: '套娃.pdf', bytes: makeEndlessPdf, expected: { failed: 'timeout', or: 'memory' }, slow: true },
]

const bomb = new Uint8Array(60_000_000)

function half(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length / 2)
}

function lockedPdf(mark: string): Uint8Array {
  const document = Document.openDocument(makePdf({ title: mark }), 'application/pdf')
  if (!(document instanceof PDFDocument)) throw new Error('not a PDF')
  return document.saveToBuffer('encrypt=aes-256,user-password=secret,owner-password=owner').asUint8Array()
}

function pagesOf(count: number): string {
  return `<< /Type /Pages /Kids [3 0 R] /Count ${count} >>`
}

function pageOf(box = '0 0 100 100'): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] >>`
}

/** Objects from number 2 on, after a catalog; without a cross-reference table, which parsers rebuild. */
function plainPdf(mark: string, objects: string[]): Uint8Array {
  const all = ['<< /Type /Catalog /Pages 2 0 R >>', ...objects]
  const body = all.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.7\n% ${mark}\n${body}trailer << /Root 1 0 R >>\n%%EOF\n`, 'latin1')
}
