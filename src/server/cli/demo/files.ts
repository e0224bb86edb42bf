import type { TableRows, Slide, Manuscript } from '../../samples/chapters.ts'
import { makeEpub, makeMobi, makeUmd } from '../../samples/books.ts'
import { makeHelp } from '../../samples/chm.ts'
import { makeOdp, makeOds, makeOdt } from '../../samples/open-document.ts'
import { makePdf } from '../../samples/pdf.ts'
import { makeRtf } from '../../samples/rtf.ts'
import { makeCsv, makeXlsx } from '../../samples/sheets.ts'
import { makePptx } from '../../samples/slides.ts'
import { encodeGbk, makeText } from '../../samples/text.ts'
import { makeDocx } from '../../samples/word.ts'
import { pickChapters, toSlides } from './prose.ts'
import type { DemoDocument } from './documents.ts'
import { tables } from './tables.ts'

/** The document's file. */
export function makeFile(document: DemoDocument): Uint8Array {
  const { ext, title, author, about, chapters: only } = document
  if (typeof about === 'string') return pickMaker(ofTables, ext)(tables[about], title)
  const talk = ofSlides[ext]
  if (talk) return talk(toSlides(about, { title, author, only }), title)
  return pickMaker(ofChapters, ext)({ title, author, chapters: pickChapters(about, only) })
}

/** In practice a `.wps`, `.et`, `.dps` or `.ppt` may be an OOXML file, and a `.doc` may be RTF. */
const ofChapters: Record<string, (content: Required<Manuscript>) => Uint8Array> = {
  '.docx': makeDocx,
  '.wps': makeDocx,
  '.doc': makeRtf,
  '.rtf': makeRtf,
  '.odt': makeOdt,
  '.pdf': makePdf,
  '.epub': makeEpub,
  '.mobi': makeMobi,
  '.azw3': (content) => makeMobi({ ...content, version: 8 }),
  '.chm': makeHelp,
  '.umd': makeUmd,
  '.txt': ({ chapters }) => encodeGbk(makeText(chapters)),
}

const ofSlides: Record<string, (slides: Slide[], title: string) => Uint8Array> = {
  '.pptx': (slides) => makePptx({ slides }),
  '.ppsx': (slides) => makePptx({ slides }),
  '.ppt': (slides) => makePptx({ slides }),
  '.dps': (slides) => makePptx({ slides }),
  '.odp': (slides, title) => makeOdp(title, slides),
}

const ofTables: Record<string, (rows: TableRows, name: string) => Uint8Array> = {
  '.xlsx': (rows, name) => makeXlsx({ rows, name }),
  '.xls': (rows, name) => makeXlsx({ rows, name }),
  '.et': (rows, name) => makeXlsx({ rows, name }),
  '.ods': (rows) => makeOds(rows),
  '.csv': (rows) => encodeGbk(makeCsv(rows)),
  '.tsv': (rows) => Buffer.from(makeCsv(rows, '\t')),
}

function pickMaker<T>(makers: Record<string, T>, ext: string): T {
  const maker = makers[ext]
  if (!maker) throw new Error(`no maker for ${ext}`)
  return maker
}
