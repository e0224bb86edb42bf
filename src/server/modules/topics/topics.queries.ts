import type { TopicEntry } from '#shared/contract/topics.ts'
import type { Db } from '#server/db/open.ts'

/** The entries of topics, in the editor's order. */
export async function findEntries(db: Db, topicIds: readonly number[]): Promise<Map<number, TopicEntry[]>> {
  if (topicIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('topic_entry')
    .selectAll()
    .where('topic_id', 'in', topicIds)
    .orderBy('topic_id')
    .orderBy('position')
    .execute()
  const byTopic = Map.groupBy(rows, ({ topic_id }) => topic_id)
  return new Map(
    [...byTopic].map(([id, entries]) => [
      id,
      entries.map(({ type, target_id, note }) => ({ type, id: target_id, note })),
    ]),
  )
}

/** Puts these entries in place of those that the topic has. */
export async function setEntries(db: Db, topicId: number, entries: readonly TopicEntry[]): Promise<void> {
  await db.deleteFrom('topic_entry').where('topic_id', '=', topicId).execute()
  if (entries.length === 0) return
  const rows = entries.map(({ type, id, note }, position) => ({
    topic_id: topicId,
    type,
    target_id: id,
    note,
    position,
  }))
  await db.insertInto('topic_entry').values(rows).execute()
}

/** The first stays where one is named twice. */
export function withoutRepeats(entries: readonly TopicEntry[]): TopicEntry[] {
  const firstOf = new Map<string, TopicEntry>()
  for (const entry of entries) {
    const key = `${entry.type} ${entry.id}`
    if (!firstOf.has(key)) firstOf.set(key, entry)
  }
  return [...firstOf.values()]
}
