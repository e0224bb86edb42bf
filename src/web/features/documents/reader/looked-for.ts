import { documents } from '#shared/contract/documents.ts'
import { longestQuestion } from '#shared/contract/search.ts'
import { isConverting } from '#shared/document-status.ts'
import type { PageHits } from '#web/features/documents/reader/hit-order.ts'
import type { Mark } from '#web/features/documents/reader/marks.ts'
import { api } from '#web/lib/api.ts'

/** What the site says about words in a document. */
export interface Found {
  words: string
  pages: PageHits
  /** On pages that may not be looked at. */
  beyond: number
  unread: Unread | undefined
}

/** So much of the text has been read so far. */
interface Unread {
  read: number
  pages: number
}

/** What was typed, as it is looked for. */
export function wordsOf(typed: string): string {
  return typed.trim().slice(0, longestQuestion).trim().toWellFormed()
}

export async function lookFor(id: number, words: string): Promise<Omit<Found, 'unread'>> {
  const { page, beyond } = await api(documents.find, { id, wd: words })
  return { words, pages: page, beyond }
}

export async function marksOn(id: number, words: string, page: number): Promise<Mark[]> {
  const { mark } = await api(documents.find, { id, wd: words, page })
  return mark.map(([line = 0, from = 0, to = 0, hit = 0]) => ({ line, from, to, hit }))
}

/** Nothing when all of it has been read. */
export async function unreadOf(id: number): Promise<Unread | undefined> {
  const { document } = await api(documents.progress, { id: [id] })
  const [known] = document
  if (!known || !(isConverting(known) || known.read < known.pages)) return undefined
  return { read: known.read, pages: known.pages }
}
