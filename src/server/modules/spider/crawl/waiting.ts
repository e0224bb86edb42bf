import { SpiderDocumentStatus, SpiderUrlStatus } from '#shared/spider.ts'
import type { Db } from '#server/db/open.ts'
import { bit } from '#server/db/tables/column.ts'

/** Which rows wait for a request: links to read, files to download, and documents to check for a new content. */

/** Only these have something that can be checked. */
export const checkedStatuses: readonly SpiderDocumentStatus[] = [
  SpiderDocumentStatus.Downloaded,
  SpiderDocumentStatus.Published,
]

export function waitingUrls(db: Db) {
  return db.selectFrom('spider_url').where('status', '=', SpiderUrlStatus.Pending)
}

export function waitingDownloads(db: Db) {
  return db.selectFrom('spider_document').where('status', '=', SpiderDocumentStatus.DownloadQueue)
}

export function waitingChecks(db: Db) {
  return db.selectFrom('spider_document').where('check_due', '=', bit(true)).where('status', 'in', checkedStatuses)
}

/** All three, as one table. */
export function waitingRows(db: Db) {
  return db.selectFrom(
    waitingUrls(db)
      .select(['origin', 'source_id', 'due_at'])
      .unionAll(waitingDownloads(db).select(['origin', 'source_id', 'due_at']))
      .unionAll(waitingChecks(db).select(['origin', 'source_id', 'due_at']))
      .as('waiting'),
  )
}

/** Those that a worker is at work on, or was when its process was killed. */
export function startedRows(db: Db) {
  return db.selectFrom(
    db
      .selectFrom('spider_url')
      .select(['origin', 'source_id'])
      .where('status', '=', SpiderUrlStatus.Crawling)
      .unionAll(
        db
          .selectFrom('spider_document')
          .select(['origin', 'source_id'])
          .where('status', '=', SpiderDocumentStatus.Downloading),
      )
      .as('started'),
  )
}
