import type { Rows, Slide, Written } from '../../samples/chapters.ts'
import { makeEpub, makeMobi, makeUmd } from '../../samples/books.ts'
import { makeHelp } from '../../samples/chm.ts'
import { makeOdp, makeOds, makeOdt } from '../../samples/open-document.ts'
import { makePdf } from '../../samples/pdf.ts'
import { makeRtf } from '../../samples/rtf.ts'
import { makeCsv, makeXlsx } from '../../samples/sheets.ts'
import { makePptx } from '../../samples/slides.ts'
import { inGbk, makeText } from '../../samples/text.ts'
import { makeDocx } from '../../samples/word.ts'
import { chaptersOf, slidesOf } from './prose.ts'
import type { DemoDocument } from './shelves.ts'
import { tables } from './tables.ts'

/** The document's file. */
export function fileOf(document: DemoDocument): Uint8Array {
  const { ext, title, author, about, chapters: only } = document
  if (typeof about === 'string') return made(ofTables, ext)(tables[about], title)
  const talk = ofSlides[ext]
  if (talk) return talk(slidesOf(about, { title, author, only }), title)
  return made(ofChapters, ext)({ title, author, chapters: chaptersOf(about, only) })
}

/** A `.wps`, `.et`, `.dps` or `.ppt` may hold what today's programs write, a `.doc` may hold RTF: people have such files. */
const ofChapters: Record<string, (written: Required<Written>) => Uint8Array> = {
  '.docx': makeDocx,
  '.wps': makeDocx,
  '.doc': makeRtf,
  '.rtf': makeRtf,
  '.odt': makeOdt,
  '.pdf': makePdf,
  '.epub': makeEpub,
  '.mobi': makeMobi,
  '.azw3': (written) => makeMobi({ ...written, version: 8 }),
  '.chm': makeHelp,
  '.umd': makeUmd,
  '.txt': ({ chapters }) => inGbk(makeText(chapters)),
}

const ofSlides: Record<string, (slides: Slide[], title: string) => Uint8Array> = {
  '.pptx': (slides) => makePptx({ slides }),
  '.ppsx': (slides) => makePptx({ slides }),
  '.ppt': (slides) => makePptx({ slides }),
  '.dps': (slides) => makePptx({ slides }),
  '.odp': (slides, title) => makeOdp(title, slides),
}

const ofTables: Record<string, (rows: Rows, name: string) => Uint8Array> = {
  '.xlsx': (rows, name) => makeXlsx({ rows, name }),
  '.xls': (rows, name) => makeXlsx({ rows, name }),
  '.et': (rows, name) => makeXlsx({ rows, name }),
  '.ods': (rows) => makeOds(rows),
  '.csv': (rows) => inGbk(makeCsv(rows)),
  '.tsv': (rows) => Buffer.from(makeCsv(rows, '\t')),
}

function made<T>(makers: Record<string, T>, ext: string): T {
  const maker = makers[ext]
  if (!maker) throw new Error(`no maker for ${ext}`)
  return maker
}
