import type * as mupdf from 'mupdf'
import type { OutlineEntry } from '../converter.ts'
import { cleanText } from './text.ts'

const mostEntries = 5000
const deepest = 8

/** The table of contents, flat; entries that lead nowhere have the page of the entry before them. */
export function outlineOf(document: mupdf.Document, pages: number): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  const visit = (items: Item[], level: number) => {
    for (const item of items) {
      if (entries.length >= mostEntries) return
      const title = cleanText(item.title ?? '').slice(0, 200)
      const page = Math.min(pages, Math.max(1, pageOf(item) ?? entries.at(-1)?.page ?? 1))
      if (title !== '') entries.push({ title, page, level })
      if (item.down && level < deepest) visit(item.down, level + 1)
    }
  }
  const pageOf = ({ page, uri }: Item) => {
    if (page !== undefined && page >= 0) return page + 1
    if (!uri) return undefined
    const found = document.resolveLink(uri)
    return found >= 0 ? found + 1 : undefined
  }
  try {
    visit(document.loadOutline() ?? [], 0)
  } catch {
    // What was read so far is what there is.
  }
  return entries
}

type Item = NonNullable<ReturnType<mupdf.Document['loadOutline']>>[number]
