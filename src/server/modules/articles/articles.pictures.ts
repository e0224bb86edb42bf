import { expressionBuilder } from 'kysely'
import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { filesIn } from './articles.html.ts'

const ofArticles = 3
const mostFiles = 500

/**
 * Pictures and films in an article are its own: one attachment for each file, which goes with it. Those that have left it
 * retire, and are called back when they return in time.
 */
export async function keepFiles(ctx: MemberCtx, articleId: number, content: string): Promise<void> {
  const paths = filesIn(content)
  if (paths.length > mostFiles) throw errors.articles.tooManyFiles(mostFiles)
  const held = ctx.db.updateTable('attachment').where('type', '=', ofArticles).where('type_id', '=', articleId)
  const gone = held.set({ deleted_at: ctx.now() }).where('deleted_at', 'is', null)
  await (paths.length > 0 ? gone.where('path', 'not in', paths) : gone).execute()
  if (paths.length === 0) return
  const back = await held.set({ deleted_at: null }).where('path', 'in', paths).returning('path').execute()
  await adopt(ctx, articleId, missing(paths, back))
}

/** Together with articles that go for good. */
export async function releaseFiles(ctx: Ctx, articleIds: readonly number[]): Promise<void> {
  await ctx.db
    .updateTable('attachment')
    .set({ deleted_at: ctx.now() })
    .where('type', '=', ofArticles)
    .where('type_id', 'in', articleIds)
    .where('deleted_at', 'is', null)
    .execute()
}

/**
 * What its writer has uploaded belongs to it, also when it has retired since; of what belongs to something else it gets a
 * record of its own.
 */
async function adopt(ctx: MemberCtx, articleId: number, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const others = missing(paths, await claim(ctx, articleId, paths))
  if (others.length === 0) return
  const copied = once(await recordsOf(ctx.db, others).where('deleted_at', 'is', null).execute())
  if (copied.length === 0) return
  const ours = { type: ofArticles, type_id: articleId, user_id: ctx.viewer.id, ip: ctx.origin.ip, deleted_at: null }
  const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
  await ctx.db
    .insertInto('attachment')
    .values(copied.map(({ id: _id, ...file }) => ({ ...file, ...ours, ...stamps })))
    .execute()
}

/** As long as there is a record, the file is there. */
async function claim(ctx: MemberCtx, articleId: number, paths: readonly string[]): Promise<{ path: string }[]> {
  const { eb, or } = expressionBuilder<Tables, 'attachment'>()
  const isFree = or([eb('type_id', '=', 0), eb('deleted_at', 'is not', null)])
  const free = await recordsOf(ctx.db, paths)
    .where('type', '=', ofArticles)
    .where('user_id', '=', ctx.viewer.id)
    .where(isFree)
    .execute()
  if (free.length === 0) return []
  const ids = once(free).map(({ id }) => id)
  // Asked once more: another article may have been faster.
  return ctx.db
    .updateTable('attachment')
    .set({ type_id: articleId, deleted_at: null, updated_at: ctx.now() })
    .where('id', 'in', ids)
    .where(isFree)
    .returning('path')
    .execute()
}

function recordsOf(db: Db, paths: readonly string[]) {
  // Found by what their addresses are made of: there is an index for that.
  const hashes = paths.map((path) => /[0-9a-f]{64}/.exec(path)?.[0] ?? '')
  return db
    .selectFrom('attachment')
    .select(['id', 'path', 'hash', 'size', 'name', 'ext', 'width', 'height'])
    .where('hash', 'in', hashes)
    .where('path', 'in', paths)
    .where('enable', '=', 1)
    .orderBy('id')
}

function once<T extends { path: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.path, row])).values()]
}

function missing(paths: readonly string[], found: readonly { path: string }[]): string[] {
  const there = new Set(found.map(({ path }) => path))
  return paths.filter((path) => !there.has(path))
}
