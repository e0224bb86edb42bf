import { type PageLines, Unconvertible } from '../../converter.ts'

/** Pages in one request; requests of higher priority go in between. */
const batchSize = 16
const maxFailedPages = 3

/**
 * Extracts text in batches. A batch that crashes the renderer is repeated page by page: a page that fails again has no
 * lines, so that one bad page does not cost the document its text.
 */
export async function extractLinesInBatches(
  from: number,
  to: number,
  extract: (from: number, to: number) => Promise<PageLines[]>,
): Promise<PageLines[]> {
  const batches: Promise<PageLines[]>[] = []
  let failedPages = 0
  const extractPage = async (page: number): Promise<PageLines[]> => {
    try {
      return await extract(page, page)
    } catch (error) {
      if (!(error instanceof Unconvertible) || ++failedPages > maxFailedPages) throw error
      return [{ page, width: 595, height: 842, lines: [] }]
    }
  }
  const extractBatch = async (first: number, last: number): Promise<PageLines[]> => {
    try {
      return await extract(first, last)
    } catch (error) {
      const isCrash = error instanceof Unconvertible && ['timeout', 'memory', 'crashed'].includes(error.reason)
      if (!isCrash) throw error
      const pages: PageLines[] = []
      for (let page = first; page <= last; page++) pages.push(...(await extractPage(page)))
      return pages
    }
  }
  for (let first = from; first <= to; first += batchSize)
    batches.push(extractBatch(first, Math.min(to, first + batchSize - 1)))
  return (await Promise.all(batches)).flat()
}
