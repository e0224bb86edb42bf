import { readFile } from 'node:fs/promises'

/** Documents with so many pages are worth showing before they are whole. */
export const mostFirst = 3

const filters: Readonly<Record<string, string>> = {
  '.doc': 'writer_pdf_Export',
  '.docx': 'writer_pdf_Export',
  '.odt': 'writer_pdf_Export',
  '.rtf': 'writer_pdf_Export',
  '.ppt': 'impress_pdf_Export',
  '.pptx': 'impress_pdf_Export',
  '.odp': 'impress_pdf_Export',
}

/** What has an office process make a PDF of the first pages; undefined for kinds that gain nothing by it. */
export function firstPages(as: string): string | undefined {
  const filter = filters[as]
  return filter && `pdf:${filter}:{"PageRange":{"type":"string","value":"1-${mostFirst}"}}`
}

/** As the office program writes it down; endless where it does not say. */
export async function pagesIn(path: string): Promise<number> {
  const [, count] = /\/Type\s*\/Pages\b[^>]*?\/Count\s+(\d+)/.exec((await readFile(path)).toString('latin1')) ?? []
  return count === undefined ? Infinity : Number(count)
}
