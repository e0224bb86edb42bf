import { sql } from 'kysely'
import type { documents } from '#shared/contract/documents.ts'
import { publicStatuses } from '#shared/document-status.ts'
import type { Reply } from '#shared/endpoint.ts'
import { Visibility } from '#shared/enums.ts'
import { memoizeFor } from '#server/concurrency/memoize.ts'
import type { Ctx } from '#server/context.ts'
import { eachContentOnce } from '../documents.copies.ts'
import { presentDocuments } from '../documents.present.ts'
import { findListedDocuments } from '../documents.queries.ts'

const periodMs = 7 * 24 * 60 * 60_000
/** The fewest readers that are told of: one alone would be known to whoever knows them. */
const minReaders = 2
const maxShown = 12
const cachedForMs = 60_000

/**
 * What several members are reading. It is found once a minute for all; whether a document still shows in the viewer's lists
 * is checked each time.
 */
export function openBeingRead(): (ctx: Ctx) => Promise<Reply<typeof documents.beingRead>> {
  const find = memoizeFor(cachedForMs, findRead)
  return async (ctx) => {
    const read = new Map((await find(ctx)).map(({ id, readers }) => [id, readers]))
    const rows = await findListedDocuments(ctx, [...read.keys()])
    const shown = await presentDocuments(ctx, rows.slice(0, maxShown))
    const isCountShown = ctx.viewer.isStaff || ctx.settings.display.show_document_view_count
    return {
      document: shown.map((document) => ({
        ...document,
        reader_count: isCountShown ? (read.get(document.id) ?? 0) : 0,
      })),
    }
  }
}

/** The documents that most members have read, more than are shown: some may be hidden within the minute. */
function findRead({ db, now }: Ctx) {
  const readers = sql<number>`cast(count(*) as bigint)`
  const read = db
    .selectFrom('reading_progress')
    .innerJoin('document', 'document.id', 'reading_progress.document_id')
    .select(['document.id', readers.as('readers')])
    .where('reading_progress.read_at', '>=', now() - periodMs)
    .whereRef('reading_progress.user_id', '<>', 'document.user_id')
    .where('document.deleted_at', 'is', null)
    .where('document.status', 'in', [...publicStatuses])
    .where('document.visibility', '=', Visibility.Public)
  return eachContentOnce(read)
    .groupBy('document.id')
    .having(readers, '>=', minReaders)
    .orderBy(readers, 'desc')
    .orderBy(({ fn }) => fn.max('reading_progress.read_at'), 'desc')
    .limit(2 * maxShown)
    .execute()
}
