import { SpiderDocumentStatus } from '#shared/spider.ts'

/** In the library, or about to be: from here on, the document or article itself is changed instead. */
export const publishedStatuses = [SpiderDocumentStatus.Publishing, SpiderDocumentStatus.Published]
