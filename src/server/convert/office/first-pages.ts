import { readFile } from 'node:fs/promises'

/** The pages of the early preview; a shorter document is converted at once. */
export const firstPagesCount = 3

const filters: Readonly<Record<string, string>> = {
  '.doc': 'writer_pdf_Export',
  '.docx': 'writer_pdf_Export',
  '.odt': 'writer_pdf_Export',
  '.rtf': 'writer_pdf_Export',
  '.ppt': 'impress_pdf_Export',
  '.pptx': 'impress_pdf_Export',
  '.odp': 'impress_pdf_Export',
}

/** The export filter for a PDF of the first pages; undefined for formats that gain nothing by it. */
export function firstPagesFilter(ext: string): string | undefined {
  const filter = filters[ext]
  return filter && `pdf:${filter}:{"PageRange":{"type":"string","value":"1-${firstPagesCount}"}}`
}

/** From the page tree as LibreOffice writes it; `Infinity` where it is not found. */
export async function countPages(path: string): Promise<number> {
  const [, count] = /\/Type\s*\/Pages\b[^>]*?\/Count\s+(\d+)/.exec((await readFile(path)).toString('latin1')) ?? []
  return count === undefined ? Infinity : Number(count)
}
