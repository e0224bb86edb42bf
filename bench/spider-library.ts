import { openLibrarySite } from '#server/testing/spider/library-site.ts'
import { mostAtOnce } from '#server/testing/spider/web-server.ts'

/** A process that serves the library that `bench/spider.ts` crawls: `LIBRARY_PAGES` pages, and `LIBRARY_FILES` PDF files. */

const files = Number(process.env.LIBRARY_FILES)
/** Lists are long: their pages stand behind each other, and a crawl has a depth. */
const pageSize = 600
const ownPages = files + Math.ceil(files / pageSize) + 4
const articles = Math.max(0, Math.floor(((Number(process.env.LIBRARY_PAGES) - ownPages) * pageSize) / (pageSize + 1)))

const site = await openLibrarySite({ documents: files, articles, pageSize, exts: ['.pdf'] })
// The parent ends this process.
process.send?.({ origin: site.origin, pages: site.reachable().length - files, files })
process.on('message', () => {
  process.send?.({ requests: site.log.length, most: mostAtOnce(site.log) })
})
