import type { reading } from '#shared/contract/reading.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { documentColumns } from '#server/db/tables/documents.ts'
import { getReadable } from '#server/modules/documents/documents.get.ts'
import { withPayment } from '#server/modules/documents/documents.paid.ts'
import { type ReadDocument, readsEveryPage } from '#server/modules/documents/documents.policy.ts'
import type { DocumentRow } from '#server/modules/documents/documents.queries.ts'
import { filterVisible } from '#server/modules/documents/visibility/visibility.policy.ts'
import { isRecordingPaused } from './recording.ts'

/** Places of more documents push out those of the documents that were read the longest ago. */
const maxDocuments = 2000

const noProgress = { page: 0, page_offset: 0, furthest_page: 0, finished_at: null, read_at: null }

export async function findProgress(
  { db, viewer }: MemberCtx,
  { uuid }: Input<typeof reading.progress>,
): Promise<Reply<typeof reading.progress>> {
  const row = await db
    .selectFrom('reading_progress')
    .innerJoin('document', 'document.id', 'reading_progress.document_id')
    .select(['page', 'page_offset', 'furthest_page', 'finished_at', 'read_at'])
    .where('reading_progress.user_id', '=', viewer.id)
    .where('document.uuid', '=', uuid)
    .executeTakeFirst()
  return row ?? noProgress
}

type Place = Input<typeof reading.save>['place'][number]

/** Of two places in a document the later one stays, by the clock of the device; the furthest page is kept. */
export async function saveProgress(
  ctx: MemberCtx,
  { place: places }: Input<typeof reading.save>,
): Promise<Reply<typeof reading.save>> {
  if (await isRecordingPaused(ctx)) return { is_recorded: false }
  const documents = await findReadable(
    ctx,
    places.map(({ uuid }) => uuid),
  )
  await transaction(ctx, async (ctx) => {
    let isNew = false
    // In a fixed order to prevent deadlocks between two devices.
    for (const document of documents.toSorted((a, b) => a.id - b.id))
      for (const place of places.filter(({ uuid }) => uuid === document.uuid))
        isNew = (await savePlace(ctx, document, place)) || isNew
    if (isNew) await deleteOldest(ctx)
  })
  return { is_recorded: true }
}

/** Marks a document as read to the end, or as not; also one that has no place yet. */
export async function finish(
  ctx: MemberCtx,
  { document_id, is_finished }: Input<typeof reading.finish>,
): Promise<void> {
  const finished_at = is_finished ? ctx.now() : null
  const { numUpdatedRows } = await ctx.db
    .updateTable('reading_progress')
    .set({ finished_at, updated_at: ctx.now() })
    .where('user_id', '=', ctx.viewer.id)
    .where('document_id', '=', document_id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0 || !is_finished) return
  const document = await getReadable(ctx, { id: document_id })
  await transaction(ctx, async (ctx) => {
    const place = { uuid: document.uuid, page: 1, page_offset: 0, furthest_page: 1, read_at: ctx.now() }
    await savePlace(ctx, document, place, true)
    await deleteOldest(ctx)
  })
}

async function findReadable(ctx: MemberCtx, uuids: readonly string[]) {
  const rows = await ctx.db
    .selectFrom('document')
    .select(documentColumns)
    .where('uuid', 'in', [...new Set(uuids)])
    .execute()
  return withPayment(ctx, await filterVisible(ctx, rows))
}

/** Returns whether the document had no place yet. */
async function savePlace(
  ctx: MemberCtx,
  document: DocumentRow & ReadDocument,
  { page: given, page_offset, furthest_page: furthest, read_at: givenTime }: Place,
  isFinished = false,
): Promise<boolean> {
  const now = ctx.now()
  // While a document is being converted its number of pages is not known.
  const within = (page: number) => (document.pages > 0 ? Math.min(page, document.pages) : page)
  const page = within(given)
  // A device whose clock is ahead must not keep later places of others out.
  const read_at = Math.min(givenTime, now)
  const isAtEnd = document.pages > 0 && page === document.pages && readsEveryPage(ctx, document, document.pages)
  const finished_at = isFinished || isAtEnd ? now : null
  const place = { page, page_offset, read_at }
  const { created_at } = await ctx.db
    .insertInto('reading_progress')
    .values({
      user_id: ctx.viewer.id,
      document_id: document.id,
      document_title: document.title,
      ...place,
      furthest_page: within(Math.max(given, furthest)),
      finished_at,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'document_id']).doUpdateSet((eb) => {
        const isLater = eb('excluded.read_at', '>=', eb.ref('reading_progress.read_at'))
        const later = (column: keyof typeof place) =>
          eb
            .case()
            .when(isLater)
            .then(eb.ref(`excluded.${column}`))
            .else(eb.ref(`reading_progress.${column}`))
            .end()
        const isFurther = eb('excluded.furthest_page', '>', eb.ref('reading_progress.furthest_page'))
        return {
          document_title: eb.ref('excluded.document_title'),
          page: later('page'),
          page_offset: later('page_offset'),
          read_at: later('read_at'),
          furthest_page: eb
            .case()
            .when(isFurther)
            .then(eb.ref('excluded.furthest_page'))
            .else(eb.ref('reading_progress.furthest_page'))
            .end(),
          finished_at: eb.fn.coalesce('reading_progress.finished_at', 'excluded.finished_at'),
          updated_at: now,
        }
      }),
    )
    .returning('created_at')
    .executeTakeFirstOrThrow()
  return created_at === now
}

async function deleteOldest({ db, viewer }: MemberCtx): Promise<void> {
  const oldest = await db
    .selectFrom('reading_progress')
    .select('id')
    .where('user_id', '=', viewer.id)
    .orderBy('read_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1000)
    .offset(maxDocuments)
    .execute()
  if (oldest.length === 0) return
  await db
    .deleteFrom('reading_progress')
    .where(
      'id',
      'in',
      oldest.map(({ id }) => id),
    )
    .execute()
}
