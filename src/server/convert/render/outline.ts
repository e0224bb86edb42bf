import type * as mupdf from 'mupdf'
import type { OutlineEntry } from '../converter.ts'
import { cleanText } from './text/lines.ts'

const maxEntries = 5000
const maxLevel = 8

/** The table of contents as a flat list; an entry without a valid target gets the page of the entry before it. */
export function readOutline(document: mupdf.Document, pages: number): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  const visit = (items: Item[], level: number) => {
    for (const item of items) {
      if (entries.length >= maxEntries) return
      const title = cleanText(item.title ?? '').slice(0, 200)
      const page = Math.min(pages, Math.max(1, pageOf(item) ?? entries.at(-1)?.page ?? 1))
      if (title !== '') entries.push({ title, page, level })
      if (item.down && level < maxLevel) visit(item.down, level + 1)
    }
  }
  const pageOf = ({ page, uri }: Item) => {
    if (page !== undefined && page >= 0) return page + 1
    if (!uri) return undefined
    const target = document.resolveLink(uri)
    return target >= 0 ? target + 1 : undefined
  }
  try {
    visit(document.loadOutline() ?? [], 0)
  } catch {
    // A damaged outline: the entries so far are kept.
  }
  return entries
}

type Item = NonNullable<ReturnType<mupdf.Document['loadOutline']>>[number]
