import type { documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import type { PageLines } from '#server/convert/converter.ts'
import { pageCounter } from '#server/fulltext/engine/find-pages.ts'
import { fold } from '#server/fulltext/text/fold.ts'
import { hitRanges } from '#server/fulltext/text/highlight.ts'
import { type ParsedQuery, parseQuery } from '#server/fulltext/text/query.ts'
import type { PageHits } from '#server/fulltext/fulltext.ts'
import { textSliceKey, pagesPerSlice } from '#server/modules/renditions/storage-keys.ts'
import { getReadable } from '../documents.get.ts'
import { countVisiblePages } from '../documents.policy.ts'
import { findRendition } from '#server/modules/renditions/renditions.queries.ts'
import { cleanQuery } from '#server/fulltext/clean-query.ts'
import { pageToText, readPageTexts, readSlice } from '#server/modules/renditions/page-text.ts'

const noHits = { page: [], beyond: 0, mark: [] }

/**
 * Where words occur in a document: hits by page, or marks on one page. Of the pages beyond the preview a viewer learns only
 * whether they repeat what the preview says: an exact answer would let visitors read them by guessing.
 */
export async function findInDocument(
  ctx: Ctx,
  { wd, page, ...ref }: Input<typeof documents.find>,
): Promise<Reply<typeof documents.find>> {
  const document = await getReadable(ctx, ref)
  const words = cleanQuery(wd)
  if (words === '') return noHits
  const last = countVisiblePages(ctx, document)
  if (page > 0)
    return { ...noHits, mark: page <= last ? await findMarks(ctx, { hash: document.hash, page, words }) : [] }
  const pages = await findHits(ctx, { ...document, previewPages: last }, words)
  return {
    page: pages.filter(({ page }) => page <= last),
    beyond: pages.some(({ page }) => page > last) ? 1 : 0,
    mark: [],
  }
}

/** Line, start and end in the line, and the hit's number: a hit may continue on the next line. */
function toMarks(page: PageLines, query: ParsedQuery): number[][] {
  const hits = hitRanges(pageToText(page), query)
  const marks: number[][] = []
  let start = 0
  for (const [line, [, , , , text]] of page.lines.entries()) {
    for (const [hit, [from, to]] of hits.entries()) {
      const [first, end] = [Math.max(0, from - start), Math.min(text.length, to - start)]
      if (first < end) marks.push([line, first, end, hit])
    }
    // A line break separates the lines.
    start += text.length + 1
  }
  return marks
}

interface SearchedDocument {
  id: number
  hash: string
  previewPages: number
}

async function findHits(ctx: Ctx, document: SearchedDocument, words: string): Promise<PageHits[]> {
  const { id, previewPages } = document
  const pages = await ctx.search.find({ kind: 'document', id, words, previewPages })
  if (pages.length > 0) return pages
  const [entry] = await ctx.search.list('document', { after: id - 1, limit: 1 })
  return entry?.id === id && entry.pagesVersion !== '' ? [] : scanPages(ctx, document, words)
}

/** For pages that are not indexed yet, as during a rebuild of the index: searches the extracted text. */
async function scanPages(ctx: Ctx, { hash, previewPages }: SearchedDocument, words: string): Promise<PageHits[]> {
  const query = parseQuery(words)
  const rendition = await findRendition(ctx.db, hash)
  if (!query || rendition?.state !== 'done') return []
  const counter = pageCounter(query, previewPages)
  for (let from = 1; from <= rendition.pages; from += pagesPerSlice) {
    const to = Math.min(rendition.pages, from + pagesPerSlice - 1)
    const texts = await readPageTexts(ctx, { hash, revision: rendition.revision, from, to })
    for (const [index, text] of texts.entries()) counter.read({ page: from + index, text: fold(text) })
  }
  return counter.pages()
}

interface PageQuery {
  hash: string
  page: number
  words: string
}

async function findMarks(ctx: Ctx, { hash, page, words }: PageQuery): Promise<number[][]> {
  const rendition = await findRendition(ctx.db, hash)
  if (rendition?.state !== 'done') return []
  const slice = await readSlice(ctx, textSliceKey(hash, rendition.revision, page))
  const pageLines = slice?.find((lines) => lines.page === page)
  const query = parseQuery(words)
  return pageLines && query ? toMarks(pageLines, query) : []
}
