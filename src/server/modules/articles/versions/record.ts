import type { MemberCtx } from '#server/context.ts'
import type { ArticleRow } from '../articles.queries.ts'
import type { Draft } from '../publishing/draft.ts'

/** Older ones are dropped. */
export const maxVersions = 30

/**
 * Keeps an article as it is after an edit, in the transaction of that edit; with the first edit also as it was before. Call it
 * with the locked row.
 */
export async function recordVersion(ctx: MemberCtx, before: ArticleRow, { columns }: Draft): Promise<void> {
  const { db } = ctx
  const versions = await db
    .selectFrom('article_version')
    .select('id')
    .where('article_id', '=', before.id)
    .orderBy('id', 'desc')
    .execute()
  if (versions.length === 0) {
    const { id: article_id, user_id, title, keywords, description, cover, content, updated_at: created_at } = before
    const original = { article_id, user_id, title, keywords, description, cover, content, created_at }
    await db.insertInto('article_version').values(original).execute()
  }
  await db
    .insertInto('article_version')
    .values({ ...columns, article_id: before.id, user_id: ctx.viewer.id, created_at: ctx.now() })
    .execute()
  const oldestKept = versions[maxVersions - 2]
  if (oldestKept)
    await db.deleteFrom('article_version').where('article_id', '=', before.id).where('id', '<', oldestKept.id).execute()
}
