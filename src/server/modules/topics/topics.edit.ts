import { type TopicEntry, topics } from '#shared/contract/topics.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { describeDiff } from '#server/audit-text.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { bit } from '#server/db/tables/column.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import { findEntries, setEntries, withoutRepeats } from './topics.queries.ts'

/** Leaves gaps, as `reorder` does. */
const step = 10

/** A new topic comes first. */
export function createTopic(ctx: MemberCtx, form: Input<typeof topics.create>): Promise<Reply<typeof topics.create>> {
  return transaction(ctx, async (ctx) => {
    const entries = await checkEntries(ctx, form.entries)
    const { sort } = await ctx.db
      .selectFrom('topic')
      .select(({ fn }) => fn.max('sort').as('sort'))
      .executeTakeFirstOrThrow()
    const row = await ctx.db
      .insertInto('topic')
      .values({ ...toColumns(form), sort: (sort ?? 0) + step, created_at: ctx.now(), updated_at: ctx.now() })
      .returningAll()
      .executeTakeFirstOrThrow()
    await setEntries(ctx.db, row.id, entries)
    ctx.emit('site.changed', {})
    return { ...row, enable: row.enable === bit(true), entries }
  })
}

export function updateTopic(ctx: MemberCtx, { id, ...form }: Input<typeof topics.update>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const before = await ctx.db.selectFrom('topic').selectAll().where('id', '=', id).executeTakeFirst()
    if (!before) throw errors.records.notFound()
    const entriesBefore = (await findEntries(ctx.db, [id])).get(id) ?? []
    const entries = await checkEntries(ctx, form.entries)
    const columns = toColumns(form)
    await ctx.db
      .updateTable('topic')
      .set({ ...columns, updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
    await setEntries(ctx.db, id, entries)
    ctx.audit?.({
      change: describeDiff(
        { ...before, entries: entriesBefore.length },
        { ...columns, entries: entries.length },
        topics.update.input,
      ),
    })
    ctx.emit('site.changed', {})
  })
}

export async function deleteEntriesOfTopics({ db }: Ctx, topicIds: readonly number[]): Promise<void> {
  await db.deleteFrom('topic_entry').where('topic_id', 'in', topicIds).execute()
}

/** Documents and articles that are purged leave the topics. */
export async function removeFromTopics(ctx: Ctx, { type, ids }: DurablePayload<'content.purged'>): Promise<void> {
  await ctx.db
    .deleteFrom('topic_entry')
    .where('type', '=', type)
    .where(inList(ctx.db, 'target_id', ids))
    .execute()
}

function toColumns({ entries: _entries, enable, ...form }: Input<typeof topics.create>) {
  return { ...form, enable: bit(enable) }
}

/** Each exists, whether or not it is public: a topic may be made before its documents are. */
async function checkEntries({ db }: Ctx, entries: readonly TopicEntry[]): Promise<TopicEntry[]> {
  const unique = withoutRepeats(entries)
  const idsOf = (type: ContentType) => unique.filter((entry) => entry.type === type).map(({ id }) => id)
  const [documents, articles] = await Promise.all([
    countRows('document', idsOf(ContentType.Document)),
    countRows('article', idsOf(ContentType.Article)),
  ])
  if (documents + articles < unique.length) throw errors.topics.entryGone()
  return unique

  async function countRows(table: 'document' | 'article', ids: readonly number[]): Promise<number> {
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where(inList(db, 'id', ids))
      .execute()
    return rows.length
  }
}
