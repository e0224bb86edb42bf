import { topics } from '#shared/contract/topics.ts'
import { transaction } from '#server/context.ts'
import { crud } from '#server/db/crud.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { reorder } from '#server/modules/catalog/manual-order.ts'
import { findCandidates } from './topics.candidates.ts'
import { createTopic, deleteEntriesOfTopics, updateTopic } from './topics.edit.ts'
import { findEntries } from './topics.queries.ts'
import { listPublished, readTopic, topicOrder } from './topics.read.ts'

const topicCrud = crud(topics, {
  table: 'topic',
  search: ['title', 'summary'],
  filters: ['enable'],
  order: topicOrder,
  sortable: ['created_at', 'updated_at'],
})

export const topicRoutes: Handlers<typeof topics> = {
  published: listPublished,
  read: readTopic,
  async list(ctx, input) {
    const { total, topic } = await topicCrud.list(ctx, input)
    const entries = await findEntries(
      ctx.db,
      topic.map(({ id }) => id),
    )
    return { total, topic: topic.map((row) => ({ ...row, entries: entries.get(row.id) ?? [] })) }
  },
  async get(ctx, input) {
    const row = await topicCrud.get(ctx, input)
    return { ...row, entries: (await findEntries(ctx.db, [row.id])).get(row.id) ?? [] }
  },
  candidates: findCandidates,
  create: createTopic,
  update: emptyReply(updateTopic),
  patch: topicCrud.patch,
  delete: (ctx, input) =>
    transaction(ctx, async (ctx) => {
      await deleteEntriesOfTopics(ctx, input.id)
      return topicCrud.delete(ctx, input)
    }),
  async sort(ctx, { id }) {
    await reorder(ctx, { table: 'topic', groupBy: [], tieBreakers: [['id', 'desc']] }, id)
    return {}
  },
}
