import { DocumentStatus } from '#shared/document-status.ts'
import { setTimeout } from 'node:timers/promises'
import { failureReasons } from '#shared/conversion.ts'
import { documents, type Progress } from '#shared/contract/documents.ts'
import { makeEpub, makeMobi, makeUmd } from '#server/samples/books.ts'
import { makeChm } from '#server/samples/chm.ts'
import { makeOdp, makeOds, makeOdt } from '#server/samples/open-document.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { paragraphs, prices } from '#server/samples/prose.ts'
import { makeCsv, makeXlsx } from '#server/samples/sheets.ts'
import { makePptx } from '#server/samples/slides.ts'
import { encodeGbk, makeText } from '#server/samples/text.ts'
import { makeRtf } from '#server/samples/rtf.ts'
import { makeDocx } from '#server/samples/word.ts'
import { isFinished, type UploadClient } from './upload-client.ts'
import { type HostileFile, hostileFiles } from '#server/testing/hostile-files.ts'

export interface MixedFile {
  name: string
  bytes: Uint8Array
  expected: HostileFile['expected'] | 'shown'
}

/** Files of all kinds in turn, no two alike, some of them hostile; generated lazily. */
export function* mixedFiles({ files, bad, slow = false }: { files: number; bad: number; slow?: boolean }) {
  const traps = hostileFiles.filter((trap) => slow || !trap.slow)
  const every = Math.max(2, Math.floor(files / Math.max(1, bad)))
  let sprung = 0
  for (let n = 0; n < files; n++) {
    const isTrap = sprung < bad && n % every === every - 1
    yield isTrap ? makeHostile(traps[sprung++ % traps.length], n) : goodFile(n - sprung)
  }
}

export interface SendResult {
  shown: number
  failed: number
  refused: number
  /** Files with another outcome than expected. */
  surprises: string[]
}

/** Uploads the files one by one, at most `ahead` before the converter, and compares each outcome with the expected one. */
export async function sendAll(
  { call, upload, create }: UploadClient,
  files: Iterable<MixedFile>,
  { ahead = 24, patienceMs = 180_000 } = {},
): Promise<SendResult> {
  const tally: SendResult = { shown: 0, failed: 0, refused: 0, surprises: [] }
  const pending = new Map<number, MixedFile>()
  const settleUntil = async (left: number) => {
    let news = Date.now()
    while (pending.size > left) {
      const { document } = await call(documents.progress, { id: [...pending.keys()] })
      for (const progress of document.filter(isFinished)) {
        news = Date.now()
        const file = pending.get(progress.id)
        pending.delete(progress.id)
        if (file) count(tally, file, toOutcome(progress))
      }
      if (Date.now() - news > patienceMs) throw new Error(`stuck: ${JSON.stringify(document)}`)
      if (pending.size > left) await setTimeout(200)
    }
  }
  for (const file of files) {
    const { id, refusal } = await upload(file.name, file.bytes)
    if (refusal) {
      count(tally, file, { refused: refusal })
      continue
    }
    for (const made of await create([id])) pending.set(made.id, file)
    await settleUntil(ahead)
  }
  await settleUntil(0)
  return tally
}

type Outcome = { refused: string } | { failed: string } | { pages: number }

function toOutcome({ status, pages, convert_error }: Progress): Outcome {
  return status === DocumentStatus.Converted ? { pages } : { failed: convert_error }
}

function count(tally: SendResult, { name, expected: ends }: MixedFile, end: Outcome): void {
  tally['refused' in end ? 'refused' : 'failed' in end ? 'failed' : 'shown'] += 1
  if (!isExpected(ends, end)) tally.surprises.push(`${name}: ${JSON.stringify(end)} instead of ${JSON.stringify(ends)}`)
}

function isExpected(ends: MixedFile['expected'], end: Outcome): boolean {
  if (ends === 'shown') return 'pages' in end && end.pages > 0
  if ('refused' in ends) return 'refused' in end && end.refused === ends.refused
  if ('pages' in ends) return 'pages' in end && end.pages === ends.pages
  const reasons = [ends.failed, ends.or].filter((reason) => reason !== undefined)
  return 'failed' in end && reasons.some((reason) => failureReasons[reason].message === end.failed)
}

function makeHostile(trap: HostileFile | undefined, n: number): MixedFile {
  if (!trap) throw new Error('no traps')
  return { name: `${n}-${trap.name}`, bytes: trap.bytes(`trap${n}`), expected: trap.expected }
}

/** Half of them need no LibreOffice. */
const makers: [ext: string, make: (title: string, n: number) => Uint8Array][] = [
  ['.pdf', (title, n) => makePdf({ title, pages: 1 + (n % 40) })],
  ['.docx', (title, n) => makeDocx({ title, pages: 1 + (n % 4) })],
  ['.txt', (title, n) => encodeGbk(`${title}\r\n${makeText(1 + (n % 5))}`)],
  ['.xlsx', (title) => makeXlsx({ rows: [[title], ...prices] })],
  ['.epub', (title, n) => makeEpub({ title, chapters: 1 + (n % 6) })],
  ['.pptx', (title, n) => makePptx({ title, slides: 1 + (n % 4) })],
  ['.mobi', (title) => makeMobi({ title })],
  ['.odt', (title) => makeOdt({ title, paragraphs: [title, ...paragraphs(6)] })],
  ['.pdf', (title) => makePdf({ title })],
  ['.csv', (title) => encodeGbk(makeCsv([[title], ...prices]))],
  ['.umd', (title) => makeUmd({ title })],
  ['.rtf', (title) => makeRtf({ title })],
  ['.txt', (title) => Buffer.from(`${title}\n${makeText(2)}`)],
  ['.ods', (title) => makeOds([[title], ...prices])],
  ['.chm', (title) => makeChm({ '/index.html': `<html><body><h1>${title}</h1><p>帮助文件</p></body></html>` })],
  ['.odp', (title) => makeOdp(title)],
  ['.pdf', (title) => makePdf({ title, pages: 3 })],
  ['.tsv', (title) => Buffer.from(makeCsv([[title], ...prices], '\t'))],
]

function goodFile(n: number): MixedFile {
  const [ext, make] = makers[n % makers.length] ?? ['.pdf', (title: string) => makePdf({ title })]
  return { name: `第${n}份${ext}`, bytes: make(`第${n}份文档`, n), expected: 'shown' }
}
