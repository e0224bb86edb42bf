import { AdvisoryLock } from './advisory-locks.ts'
import { type Kysely, sql } from 'kysely'
import type { Db, Engine, OpenDatabase } from './open.ts'
import * as foundation from './migrations/0001-foundation.ts'
import * as documents from './migrations/0002-documents.ts'
import * as search from './migrations/0003-search.ts'
import * as community from './migrations/0004-community.ts'
import * as running from './migrations/0005-running.ts'
import * as letters from './migrations/0006-letters.ts'
import * as conventionalNames from './migrations/0007-conventional-names.ts'
import * as fairQueue from './migrations/0008-fair-queue.ts'
import * as namesAndAddresses from './migrations/0009-names-and-addresses.ts'
import * as scriptsOfAdvertisements from './migrations/0010-scripts-of-advertisements.ts'
import * as reasonsOfRejectedComments from './migrations/0011-reasons-of-rejected-comments.ts'
import * as reports from './migrations/0012-reports.ts'
import * as announcements from './migrations/0013-announcements.ts'
import * as ownerOfTheSite from './migrations/0014-owner-of-the-site.ts'
import * as newDefaults from './migrations/0015-new-defaults.ts'
import * as workers from './migrations/0016-workers.ts'
import * as savedViews from './migrations/0017-saved-views.ts'
import * as captchaAfterFailures from './migrations/0018-captcha-after-failures.ts'
import * as orders from './migrations/0019-orders.ts'
import * as sms from './migrations/0020-sms.ts'
import * as oauth from './migrations/0021-oauth.ts'
import * as secondFactor from './migrations/0022-second-factor.ts'
import * as visibility from './migrations/0023-visibility.ts'
import * as notifications from './migrations/0024-notifications.ts'
import * as privacy from './migrations/0025-privacy.ts'
import * as sourcesOfContent from './migrations/0026-sources-of-content.ts'
import * as spider from './migrations/0027-spider.ts'
import * as reading from './migrations/0028-reading.ts'
import * as collections from './migrations/0029-collections.ts'
import * as replacedFiles from './migrations/0030-replaced-files.ts'
import * as articles from './migrations/0031-articles.ts'
import * as topicsAndRankings from './migrations/0032-topics-and-rankings.ts'
import * as keywordsFromTexts from './migrations/0033-keywords-from-texts.ts'
import * as coverTint from './migrations/0034-cover-tint.ts'
import * as pageMargins from './migrations/0035-page-margins.ts'
import * as articleKeywordsFromTexts from './migrations/0037-article-keywords-from-texts.ts'
import * as batchesOfNews from './migrations/0038-batches-of-news.ts'
import * as takenBack from './migrations/0039-taken-back.ts'
import * as trialPayments from './migrations/0040-trial-payments.ts'
import * as books from './migrations/0041-books.ts'
import * as oneTruthAboutAnUpload from './migrations/0044-one-truth-about-an-upload.ts'
import * as staff from './migrations/0045-staff.ts'
import * as backups from './migrations/0046-backups.ts'
import * as contactsByProof from './migrations/0047-contacts-by-proof.ts'
import * as ordersByTime from './migrations/0049-orders-by-time.ts'
import * as currentReading from './migrations/0050-current-reading.ts'

export interface Migration {
  up(db: Kysely<unknown>, engine: Engine): Promise<void>
}

/** In order. A released migration is never changed. */
export const migrations: readonly [name: string, migration: Migration][] = [
  ['0001-foundation', foundation],
  ['0002-documents', documents],
  ['0003-search', search],
  ['0004-community', community],
  ['0005-running', running],
  ['0006-letters', letters],
  ['0007-conventional-names', conventionalNames],
  ['0008-fair-queue', fairQueue],
  ['0009-names-and-addresses', namesAndAddresses],
  ['0010-scripts-of-advertisements', scriptsOfAdvertisements],
  ['0011-reasons-of-rejected-comments', reasonsOfRejectedComments],
  ['0012-reports', reports],
  ['0013-announcements', announcements],
  ['0014-owner-of-the-site', ownerOfTheSite],
  ['0015-new-defaults', newDefaults],
  ['0016-workers', workers],
  ['0017-saved-views', savedViews],
  ['0018-captcha-after-failures', captchaAfterFailures],
  ['0019-orders', orders],
  ['0020-sms', sms],
  ['0021-oauth', oauth],
  ['0022-second-factor', secondFactor],
  ['0023-visibility', visibility],
  ['0024-notifications', notifications],
  ['0025-privacy', privacy],
  ['0026-sources-of-content', sourcesOfContent],
  ['0027-spider', spider],
  ['0028-reading', reading],
  ['0029-collections', collections],
  ['0030-replaced-files', replacedFiles],
  ['0031-articles', articles],
  ['0032-topics-and-rankings', topicsAndRankings],
  ['0033-keywords-from-texts', keywordsFromTexts],
  ['0034-cover-tint', coverTint],
  ['0035-page-margins', pageMargins],
  ['0037-article-keywords-from-texts', articleKeywordsFromTexts],
  ['0038-batches-of-news', batchesOfNews],
  ['0039-taken-back', takenBack],
  ['0040-trial-payments', trialPayments],
  ['0041-books', books],
  ['0044-one-truth-about-an-upload', oneTruthAboutAnUpload],
  ['0045-staff', staff],
  ['0046-backups', backups],
  ['0047-contacts-by-proof', contactsByProof],
  ['0049-orders-by-time', ordersByTime],
  ['0050-current-reading', currentReading],
]

/** Brings the schema up to date. Each migration is one transaction under a lock, as two servers may start at once. */
export async function migrate(database: OpenDatabase, upTo = migrations.length): Promise<string[]> {
  // In PostgreSQL two concurrent `create table if not exists` can both try to create it.
  await withMigrationLock(database, (step) =>
    step.schema
      .createTable('migration')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute(),
  )
  const done: string[] = []
  for (const [name, migration] of migrations.slice(0, upTo)) {
    const isNew = await withMigrationLock(database, async (step) => {
      const applied = await step.selectFrom('migration').select('name').where('name', '=', name).executeTakeFirst()
      if (applied) return false
      await migration.up(step as unknown as Kysely<unknown>, database.engine)
      await step.insertInto('migration').values({ name, at: Date.now() }).execute()
      return true
    })
    if (isNew) done.push(name)
  }
  return done
}

/** A transaction that excludes the migrations of other servers. SQLite's write lock does it by itself. */
function withMigrationLock<T>({ db, engine }: OpenDatabase, work: (step: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (step) => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${AdvisoryLock.Migration})`.execute(step)
    return work(step)
  })
}
