import type { articleVersions } from '#shared/contract/article-versions.ts'
import type { Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import { loadAuthors } from '#server/modules/users/authors.ts'
import type { Sanitizer } from '../articles.sanitizer.ts'
import { assertCanEdit, updateArticle } from '../publishing/edit.ts'

export async function listVersions(
  ctx: MemberCtx,
  { id }: { id: number },
): Promise<Reply<typeof articleVersions.list>> {
  await assertCanEdit(ctx, id)
  const rows = await ctx.db
    .selectFrom('article_version')
    .select(['id', 'title', 'user_id', 'created_at'])
    .where('article_id', '=', id)
    .orderBy('id', 'desc')
    .execute()
  const authorOf = await loadAuthors(
    ctx,
    rows.map(({ user_id }) => user_id),
  )
  return { version: rows.map((row) => ({ ...row, username: authorOf(row.user_id).username })) }
}

export async function getVersion(ctx: MemberCtx, { id }: { id: number }): Promise<Reply<typeof articleVersions.get>> {
  const { keywords: _keywords, description: _description, cover: _cover, ...version } = await findVersion(ctx, id)
  const authorOf = await loadAuthors(ctx, [version.user_id])
  return { ...version, username: authorOf(version.user_id).username }
}

/** An edit like any other: it may be reviewed again, and makes a version itself. */
export async function restoreVersion(ctx: MemberCtx, { id }: { id: number }, sanitizer: Sanitizer): Promise<void> {
  const { article_id, title, keywords, description, content, cover } = await findVersion(ctx, id)
  const form = { id: article_id, title, keywords, description, content, cover, category_id: [], draft_id: 0 }
  await updateArticle(ctx, form, sanitizer)
}

export async function deleteVersionsOfUsers({ db }: Ctx, { ids }: DurablePayload<'users.deleted'>): Promise<void> {
  await db
    .deleteFrom('article_version')
    .where(({ or, eb, selectFrom }) =>
      or([
        inList(db, 'article_version.user_id', ids),
        eb(
          'article_id',
          'in',
          selectFrom('article')
            .select('article.id')
            .where(inList(db, 'article.user_id', ids)),
        ),
      ]),
    )
    .execute()
}

/** For those who may edit the article; for others it does not exist. */
async function findVersion(ctx: MemberCtx, id: number) {
  const row = await ctx.db.selectFrom('article_version').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw errors.articles.versionNotFound()
  await assertCanEdit(ctx, row.article_id)
  return row
}
