import type { documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import type { PageLines } from '#server/convert/converter.ts'
import { pageCounter } from '#server/fulltext/engine/find-pages.ts'
import { fold } from '#server/fulltext/text/fold.ts'
import { hitRanges } from '#server/fulltext/text/highlight.ts'
import { type Query, readQuery } from '#server/fulltext/engine/query.ts'
import type { PageHits } from '#server/fulltext/fulltext.ts'
import { linesKey, pagesPerSlice } from '#server/modules/renditions/storage-keys.ts'
import { getVisible } from '../documents.get.ts'
import { previewOf } from '../documents.policy.ts'
import { findRendition } from '#server/modules/renditions/renditions.queries.ts'
import { questionOf } from '#server/modules/search/answer.ts'
import { pageTexts, readSlice, textOfPage } from '#server/modules/renditions/page-text.ts'

const nothing = { page: [], beyond: 0, mark: [] }

/** Where words stand in a document. Of pages that may not be looked at, only how often. */
export async function findInDocument(
  ctx: Ctx,
  { wd, page, ...named }: Input<typeof documents.find>,
): Promise<Reply<typeof documents.find>> {
  const document = await getVisible(ctx, named)
  const words = questionOf(wd)
  if (words === '') return nothing
  const last = previewOf(ctx, document)
  if (page > 0)
    return { ...nothing, mark: page <= last ? await marksOn(ctx, { hash: document.hash, page, words }) : [] }
  const found = await hitsOf(ctx, document, words)
  const beyond = found.filter((one) => one.page > last)
  return {
    page: found.filter((one) => one.page <= last),
    beyond: beyond.reduce((sum, { hits }) => sum + hits, 0),
    mark: [],
  }
}

/** Which line, from where up to where in it, and which of the page's hits it belongs to: one may go on in the next line. */
function marksIn(page: PageLines, query: Query): number[][] {
  const hits = hitRanges(textOfPage(page), query)
  const marks: number[][] = []
  let start = 0
  for (const [line, [, , , , text]] of page.lines.entries()) {
    for (const [hit, [from, to]] of hits.entries()) {
      const [first, end] = [Math.max(0, from - start), Math.min(text.length, to - start)]
      if (first < end) marks.push([line, first, end, hit])
    }
    // A line break stands between lines.
    start += text.length + 1
  }
  return marks
}

async function hitsOf(ctx: Ctx, { id, hash }: { id: number; hash: string }, words: string): Promise<PageHits[]> {
  const found = await ctx.search.find({ kind: 'document', id, words })
  if (found.length > 0) return found
  const [known] = await ctx.search.list('document', { after: id - 1, limit: 1 })
  return known?.id === id && known.pagesMark !== '' ? [] : leafThrough(ctx, hash, words)
}

/** While the index does not have its pages, as when it is built anew, the text itself is read. */
async function leafThrough(ctx: Ctx, hash: string, words: string): Promise<PageHits[]> {
  const query = readQuery(words)
  const rendition = await findRendition(ctx.db, hash)
  if (!query || rendition?.state !== 'done') return []
  const counter = pageCounter(query)
  for (let from = 1; from <= rendition.pages; from += pagesPerSlice) {
    const to = Math.min(rendition.pages, from + pagesPerSlice - 1)
    const texts = await pageTexts(ctx, hash, rendition.revision, from, to)
    for (const [index, text] of texts.entries()) counter.read({ page: from + index, text: fold(text) })
  }
  return counter.pages()
}

interface Place {
  hash: string
  page: number
  words: string
}

async function marksOn(ctx: Ctx, { hash, page, words }: Place): Promise<number[][]> {
  const rendition = await findRendition(ctx.db, hash)
  if (rendition?.state !== 'done') return []
  const slice = await readSlice(ctx, linesKey(hash, rendition.revision, page))
  const read = slice?.find((lines) => lines.page === page)
  const query = readQuery(words)
  return read && query ? marksIn(read, query) : []
}
