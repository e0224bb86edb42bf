import { ContentType } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { DurablePayload } from '#server/durable-events.ts'

const tables = ['reading_progress', 'bookmark', 'annotation'] as const

/** Documents are gone for good, and what members marked in them goes too. */
export async function deleteReadingOfDocuments(
  { db }: Ctx,
  { type, ids }: DurablePayload<'content.purged'>,
): Promise<void> {
  if (type !== ContentType.Document) return
  for (const table of tables)
    await db
      .deleteFrom(table)
      .where(inList(db, 'document_id', ids))
      .execute()
}

export async function deleteReadingOfUsers({ db }: Ctx, { ids }: DurablePayload<'users.deleted'>): Promise<void> {
  for (const table of [...tables, 'reading_pause'] as const)
    await db
      .deleteFrom(table)
      .where(inList(db, 'user_id', ids))
      .execute()
}
