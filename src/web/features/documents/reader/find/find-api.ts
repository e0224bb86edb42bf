import { documents } from '#shared/contract/documents.ts'
import { maxQueryLength } from '#shared/contract/marked-text.ts'
import { isConverting } from '#shared/document-status.ts'
import type { Highlight } from '#web/features/documents/reader/find/highlights.ts'
import type { PageHits } from '#web/features/documents/reader/find/hit-order.ts'
import { api } from '#web/lib/api.ts'

export interface FindResult {
  words: string
  pages: PageHits
  /** Pages beyond the preview repeat what was found in it; what stands only there is not told. */
  isBeyond: boolean
  /** While the text of the document is being extracted. */
  extraction: ExtractionProgress | undefined
}

interface ExtractionProgress {
  read: number
  pages: number
}

export function normalizeWords(typed: string): string {
  return typed.trim().slice(0, maxQueryLength).trim().toWellFormed()
}

export async function findInDocument(id: number, words: string): Promise<Omit<FindResult, 'extraction'>> {
  const { page, beyond } = await api(documents.find, { id, wd: words })
  return { words, pages: page, isBeyond: beyond > 0 }
}

export async function findOnPage(id: number, words: string, page: number): Promise<Highlight[]> {
  const { mark } = await api(documents.find, { id, wd: words, page })
  return mark.map(([line = 0, from = 0, to = 0, hit = 0]) => ({ line, from, to, hit }))
}

/** Undefined when the whole text is extracted. */
export async function loadExtractionProgress(id: number): Promise<ExtractionProgress | undefined> {
  const { document } = await api(documents.progress, { id: [id] })
  const [progress] = document
  if (!progress || !(isConverting(progress) || progress.read < progress.pages)) return undefined
  return { read: progress.read, pages: progress.pages }
}
