import { sql } from 'kysely'
import { ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import { AdvisoryLock } from '#server/db/advisory-locks.ts'
import { getEngine } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'
import type { SpiderDocumentRow } from '../crawl/work.ts'

/** The article that the same text, from another address of the source, was published as. */
export async function findTwin(
  db: Db,
  { id, source_id, hash }: Pick<SpiderDocumentRow, 'id' | 'source_id' | 'hash'>,
): Promise<{ article_id: number } | undefined> {
  if (hash === '') return undefined
  return (
    db
      .selectFrom('spider_document')
      .innerJoin('article', 'article.id', 'spider_document.article_id')
      .select('spider_document.article_id')
      .where('spider_document.source_id', '=', source_id)
      // One whose text has changed has the new hash, and until it is published again the article of the old one.
      .where('spider_document.status', '=', SpiderDocumentStatus.Published)
      .where('spider_document.target', '=', ContentType.Article)
      .where('spider_document.hash', '=', hash)
      .where('spider_document.id', '<>', id)
      .where('article.deleted_at', 'is', null)
      .limit(1)
      .executeTakeFirst()
  )
}

/** Held until the transaction ends: of two workers that publish the same text, the second finds the article of the first. */
export async function lockTwins(db: Db): Promise<void> {
  if (getEngine(db) === 'postgres') await sql`select pg_advisory_xact_lock(${AdvisoryLock.SpiderArticles})`.execute(db)
}
