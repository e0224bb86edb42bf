import { type articleDrafts, maxDrafts } from '#shared/contract/article-drafts.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { DurablePayload } from '#server/durable-events.ts'
import { assertCanWrite } from '#server/modules/users/users.writing.ts'
import { canManage } from '../articles.policy.ts'
import { assertCanEdit } from '../publishing/edit.ts'

type Form = Input<typeof articleDrafts.save>

const summaryLength = 100
/** A text begins within these characters, unless it begins with very long markup. */
const summarySource = 2000

/** The member's own drafts, the latest first. */
export async function listDrafts({ db, viewer }: MemberCtx): Promise<Reply<typeof articleDrafts.list>> {
  const rows = await db
    .selectFrom('article_draft')
    .leftJoin('article', 'article.id', 'article_draft.article_id')
    .select(['article_draft.id', 'article_draft.article_id', 'article_draft.title', 'article_draft.updated_at'])
    .select(['article_draft.based_on', 'article.identifier as article_identifier'])
    .select(({ fn, val }) =>
      fn<string>('substr', ['article_draft.content', val(1), val(summarySource)]).as('beginning'),
    )
    .where('article_draft.user_id', '=', viewer.id)
    .orderBy('article_draft.updated_at', 'desc')
    .orderBy('article_draft.id', 'desc')
    .execute()
  const draft = rows.map(({ beginning, article_identifier, ...row }) => ({
    ...row,
    article_identifier: article_identifier ?? '',
    summary: plainBeginning(beginning),
  }))
  return { draft }
}

export async function getDraft(ctx: MemberCtx, { id }: { id: number }): Promise<Reply<typeof articleDrafts.get>> {
  const row = await ctx.db
    .selectFrom('article_draft')
    .leftJoin('article', 'article.id', 'article_draft.article_id')
    .selectAll('article_draft')
    .select('article.identifier as article_identifier')
    .where('article_draft.id', '=', id)
    .where('article_draft.user_id', '=', ctx.viewer.id)
    .executeTakeFirst()
  if (!row) throw errors.articles.draftNotFound()
  const { user_id: _user, created_at: _created, category_id, article_identifier, ...draft } = row
  return {
    ...draft,
    article_identifier: article_identifier ?? '',
    summary: plainBeginning(draft.content),
    category_id: category_id.split(' ').filter(Boolean).map(Number),
  }
}

/**
 * Overwrites the draft only as the editor knows it. One that another window has changed since, or that is gone, stays as it
 * is: what this window has becomes a draft of its own, whose id the reply gives.
 */
export async function saveDraft(ctx: MemberCtx, form: Form): Promise<Reply<typeof articleDrafts.save>> {
  assertCanWriteDraft(ctx, form)
  const { id, known_at, article_id, based_on, category_id, ...texts } = form
  const columns = { ...texts, category_id: category_id.join(' ') }
  if (id > 0) {
    const current = await findOwn(ctx, id)
    // As it is already: the reply to the first attempt was lost.
    if (current && isSame(current, columns)) return { id, updated_at: current.updated_at }
    if (current && current.updated_at === known_at) {
      const updated_at = Math.max(ctx.now(), current.updated_at + 1)
      const { numUpdatedRows } = await ctx.db
        .updateTable('article_draft')
        .set({ ...columns, updated_at })
        .where('id', '=', id)
        .where('updated_at', '=', known_at)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows > 0) return { id, updated_at }
    }
  }
  if (article_id > 0) await assertCanEdit(ctx, article_id)
  return transaction(ctx, async (ctx) => {
    // Counted while no other request of the member adds one.
    await lockRows(ctx, 'user', [ctx.viewer.id])
    const { count } = await ctx.db
      .selectFrom('article_draft')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', ctx.viewer.id)
      .executeTakeFirstOrThrow()
    if (count >= maxDrafts) throw errors.articles.tooManyDrafts(maxDrafts)
    const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
    return ctx.db
      .insertInto('article_draft')
      .values({ ...columns, article_id, based_on: based_on ?? 0, user_id: ctx.viewer.id, ...stamps })
      .returning(['id', 'updated_at'])
      .executeTakeFirstOrThrow()
  })
}

/** The member's own; ids of others are ignored. */
export async function deleteDrafts(ctx: MemberCtx, { id }: Input<typeof articleDrafts.delete>): Promise<void> {
  await ctx.db.deleteFrom('article_draft').where('id', 'in', id).where('user_id', '=', ctx.viewer.id).execute()
}

export async function deleteDraftsOfUsers({ db }: Ctx, { ids }: DurablePayload<'users.deleted'>): Promise<void> {
  await db
    .deleteFrom('article_draft')
    .where(inList(db, 'user_id', ids))
    .execute()
}

function assertCanWriteDraft(ctx: MemberCtx, { article_id, content }: Form): void {
  if (article_id === 0) assertCanWrite(ctx)
  const { max_article_size } = ctx.settings.security
  // Twice, as the article that is edited may be larger than a new one: the rest is checked when it is published.
  if (!canManage(ctx.viewer) && Buffer.byteLength(content) > 2 * max_article_size * 1024)
    throw errors.articles.tooLarge(max_article_size)
}

function findOwn({ db, viewer }: MemberCtx, id: number) {
  return db
    .selectFrom('article_draft')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', viewer.id)
    .executeTakeFirst()
}

function isSame<C extends object>(row: C & Record<keyof C, unknown>, columns: Partial<C>): boolean {
  return (Object.keys(columns) as (keyof C)[]).every((column) => row[column] === columns[column])
}

/** Of HTML that was not sanitized: for a list of titles, as text. */
function plainBeginning(html: string): string {
  const text = html
    .slice(0, summarySource)
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&(?:nbsp|lt|gt|quot|amp);/g, (entity) => entities[entity] ?? ' ')
    .replace(/\s+/g, ' ')
  return Array.from(text.trim()).slice(0, summaryLength).join('').toWellFormed()
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
