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
import { inGbk, makeText } from '#server/samples/text.ts'
import { makeRtf } from '#server/samples/rtf.ts'
import { makeDocx } from '#server/samples/word.ts'
import { isSettled, type Sender } from './files.ts'
import { type Hostile, hostile } from './hostile.ts'

export interface Mixed {
  name: string
  bytes: Uint8Array
  ends: Hostile['ends'] | 'shown'
}

/** Files as they come: all kinds in turn, no two alike, some of them hostile. Made one at a time, when they are taken. */
export function* mixture({ files, bad, slow = false }: { files: number; bad: number; slow?: boolean }) {
  const traps = hostile.filter((trap) => slow || !trap.slow)
  const every = Math.max(2, Math.floor(files / Math.max(1, bad)))
  let sprung = 0
  for (let n = 0; n < files; n++) {
    const isTrap = sprung < bad && n % every === every - 1
    yield isTrap ? trapOf(traps[sprung++ % traps.length], n) : goodFile(n - sprung)
  }
}

export interface Tally {
  shown: number
  failed: number
  refused: number
  /** What has not ended as it should. */
  surprises: string[]
}

/** Puts them on the site one after the other, some ahead of what has been converted, and looks how each one ends. */
export async function sendAll(
  { call, upload, create }: Sender,
  files: Iterable<Mixed>,
  { ahead = 24, patienceMs = 180_000 } = {},
): Promise<Tally> {
  const tally: Tally = { shown: 0, failed: 0, refused: 0, surprises: [] }
  const pending = new Map<number, Mixed>()
  const settleUntil = async (left: number) => {
    let news = Date.now()
    while (pending.size > left) {
      const { document } = await call(documents.progress, { id: [...pending.keys()] })
      for (const progress of document.filter(isSettled)) {
        news = Date.now()
        const file = pending.get(progress.id)
        pending.delete(progress.id)
        if (file) count(tally, file, endOf(progress))
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

type End = { refused: string } | { failed: string } | { pages: number }

function endOf({ status, pages, convert_error }: Progress): End {
  return status === 2 ? { pages } : { failed: convert_error }
}

function count(tally: Tally, { name, ends }: Mixed, end: End): void {
  tally['refused' in end ? 'refused' : 'failed' in end ? 'failed' : 'shown'] += 1
  if (!isDue(ends, end)) tally.surprises.push(`${name}: ${JSON.stringify(end)} instead of ${JSON.stringify(ends)}`)
}

function isDue(ends: Mixed['ends'], end: End): boolean {
  if (ends === 'shown') return 'pages' in end && end.pages > 0
  if ('refused' in ends) return 'refused' in end && end.refused === ends.refused
  if ('pages' in ends) return 'pages' in end && end.pages === ends.pages
  const reasons = [ends.failed, ends.or].filter((reason) => reason !== undefined)
  return 'failed' in end && reasons.some((reason) => failureReasons[reason].message === end.failed)
}

function trapOf(trap: Hostile | undefined, n: number): Mixed {
  if (!trap) throw new Error('no traps')
  return { name: `${n}-${trap.name}`, bytes: trap.bytes(`trap${n}`), ends: trap.ends }
}

/** Half of them need no office program. */
const makers: [ext: string, make: (title: string, n: number) => Uint8Array][] = [
  ['.pdf', (title, n) => makePdf({ title, pages: 1 + (n % 40) })],
  ['.docx', (title, n) => makeDocx({ title, pages: 1 + (n % 4) })],
  ['.txt', (title, n) => inGbk(`${title}\r\n${makeText(1 + (n % 5))}`)],
  ['.xlsx', (title) => makeXlsx({ rows: [[title], ...prices] })],
  ['.epub', (title, n) => makeEpub({ title, chapters: 1 + (n % 6) })],
  ['.pptx', (title, n) => makePptx({ title, slides: 1 + (n % 4) })],
  ['.mobi', (title) => makeMobi({ title })],
  ['.odt', (title) => makeOdt({ title, paragraphs: [title, ...paragraphs(6)] })],
  ['.pdf', (title) => makePdf({ title })],
  ['.csv', (title) => inGbk(makeCsv([[title], ...prices]))],
  ['.umd', (title) => makeUmd({ title })],
  ['.rtf', (title) => makeRtf({ title })],
  ['.txt', (title) => Buffer.from(`${title}\n${makeText(2)}`)],
  ['.ods', (title) => makeOds([[title], ...prices])],
  ['.chm', (title) => makeChm({ '/index.html': `<html><body><h1>${title}</h1><p>帮助文件</p></body></html>` })],
  ['.odp', (title) => makeOdp(title)],
  ['.pdf', (title) => makePdf({ title, pages: 3 })],
  ['.tsv', (title) => Buffer.from(makeCsv([[title], ...prices], '\t'))],
]

function goodFile(n: number): Mixed {
  const [ext, make] = makers[n % makers.length] ?? ['.pdf', (title: string) => makePdf({ title })]
  return { name: `第${n}份${ext}`, bytes: make(`第${n}份文档`, n), ends: 'shown' }
}
