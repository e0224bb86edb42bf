import { makeEpub } from '#server/samples/books.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { prose } from '#server/samples/prose.ts'
import { makeRtf } from '#server/samples/rtf.ts'
import { makeXlsx } from '#server/samples/sheets.ts'
import { makeDocx } from '#server/samples/word.ts'

/** What the library of the tests holds: documents of real formats, and articles. */

export interface LibraryDocument {
  category: string
  number: number
  ext: string
  title: string
  description: string
  keywords: string[]
  /** As `2024-03-05`. */
  date: string
  /** The page about it. */
  page: string
  /** The file itself. */
  file: string
}

export interface LibraryArticle {
  number: number
  title: string
  date: string
  page: string
  pictures: string[]
  paragraphs: string[]
}

/** The first part of the paths, and what the site calls them. */
export const libraryCategories: Record<string, string> = { history: '历史', science: '科学', novel: '小说' }

export const libraryExts = ['.pdf', '.docx', '.txt', '.xlsx', '.rtf', '.epub']

const firstDay = Date.UTC(2024, 0, 1)
const dayMs = 24 * 60 * 60_000

/** The number counts over all categories. */
export function libraryDocument(number: number, category: string, ext: string): LibraryDocument {
  return {
    category,
    number,
    ext,
    title: `${libraryCategories[category] ?? category}资料第 ${number} 号`,
    description: `第 ${number} 号资料的简介：${prose[number % prose.length] ?? ''}`,
    keywords: [libraryCategories[category] ?? category, '资料', `编号${number}`],
    date: dateOf(number),
    page: `/${category}/${number}.html`,
    file: `/files/${category}-${number}${ext}`,
  }
}

export function libraryArticle(number: number): LibraryArticle {
  return {
    number,
    title: `馆讯第 ${number} 期`,
    date: dateOf(number),
    page: `/news/${number}.html`,
    pictures: [`/pictures/${number}-1.png`, `/pictures/${number}-2.png`],
    paragraphs: prose.map((text) => `第 ${number} 期：${text}`),
  }
}

export function libraryFile({ title, ext, number }: LibraryDocument): Uint8Array {
  const make = fileMakers[ext]
  if (!make) throw new Error(`the library has no ${ext}`)
  return make(title, number)
}

const fileMakers: Record<string, (title: string, number: number) => Uint8Array> = {
  '.pdf': (title, number) => makePdf({ title, pages: 1 + (number % 3) }),
  '.docx': (title) => makeDocx({ title, pages: 1 }),
  '.txt': (title) => Buffer.from(`${title}\r\n\r\n${prose.join('\r\n')}\r\n`),
  '.xlsx': (title) => makeXlsx({ name: '资料', rows: [['名称'], [title]] }),
  '.rtf': (title) => makeRtf({ title, paragraphs: [title, ...prose] }),
  '.epub': (title) => makeEpub({ title, chapters: 1 }),
}

export const fileTypes: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.txt': 'text/plain; charset=utf-8',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.rtf': 'application/rtf',
  '.epub': 'application/epub+zip',
}

function dateOf(number: number): string {
  return new Date(firstDay + (number % 700) * dayMs).toISOString().slice(0, 10)
}
