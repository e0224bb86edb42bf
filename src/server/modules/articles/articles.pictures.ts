import { AttachmentType } from '#shared/enums.ts'
import { expressionBuilder } from 'kysely'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Uploader } from '#server/modules/attachments/attachments.store.ts'

const maxFiles = 500

interface ShownFiles {
  articleId: number
  /** The files that its content shows. */
  paths: readonly string[]
  /** Whose free uploads become attachments of it. */
  uploader: Uploader
}

/**
 * Each image and video in an article is an attachment of it. Attachments that the content no longer shows are soft-deleted,
 * and restored when it shows them again before the sweep.
 */
export async function syncFiles(ctx: Ctx, { articleId, paths, uploader }: ShownFiles): Promise<void> {
  if (paths.length > maxFiles) throw errors.articles.tooManyFiles(maxFiles)
  const attachments = ctx.db
    .updateTable('attachment')
    .where('type', '=', AttachmentType.Article)
    .where('type_id', '=', articleId)
  const unused = attachments.set({ deleted_at: ctx.now() }).where('deleted_at', 'is', null)
  await (paths.length > 0 ? unused.where('path', 'not in', paths) : unused).execute()
  if (paths.length === 0) return
  const restored = await attachments.set({ deleted_at: null }).where('path', 'in', paths).returning('path').execute()
  await adopt(ctx, { articleId, paths: withoutPaths(paths, restored), uploader })
}

/** For articles that are purged. */
export async function retireFiles(ctx: Ctx, articleIds: readonly number[]): Promise<void> {
  await ctx.db
    .updateTable('attachment')
    .set({ deleted_at: ctx.now() })
    .where('type', '=', AttachmentType.Article)
    .where('type_id', 'in', articleIds)
    .where('deleted_at', 'is', null)
    .execute()
}

/**
 * Free uploads of the author, even soft-deleted ones, become attachments of the article; files that belong to something else
 * get another attachment for it.
 */
async function adopt(ctx: Ctx, { articleId, paths, uploader }: ShownFiles): Promise<void> {
  if (paths.length === 0) return
  const others = withoutPaths(paths, await claim(ctx, { articleId, paths, uploader }))
  if (others.length === 0) return
  const sources = uniqueByPath(await selectAttachments(ctx.db, others).where('deleted_at', 'is', null).execute())
  if (sources.length === 0) return
  const fields = {
    type: AttachmentType.Article,
    type_id: articleId,
    user_id: uploader.userId,
    ip: uploader.ip,
    deleted_at: null,
  }
  const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
  await ctx.db
    .insertInto('attachment')
    .values(sources.map(({ id: _id, ...file }) => ({ ...file, ...fields, ...stamps })))
    .execute()
}

/** A soft-deleted attachment still has its file. */
async function claim(ctx: Ctx, { articleId, paths, uploader }: ShownFiles): Promise<{ path: string }[]> {
  const { eb, or } = expressionBuilder<Tables, 'attachment'>()
  const isFree = or([eb('type_id', '=', 0), eb('deleted_at', 'is not', null)])
  const free = await selectAttachments(ctx.db, paths)
    .where('type', '=', AttachmentType.Article)
    .where('user_id', '=', uploader.userId)
    .where(isFree)
    .execute()
  if (free.length === 0) return []
  const ids = uniqueByPath(free).map(({ id }) => id)
  // Checked again in the update: another article may have claimed them meanwhile.
  return ctx.db
    .updateTable('attachment')
    .set({ type_id: articleId, deleted_at: null, updated_at: ctx.now() })
    .where('id', 'in', ids)
    .where(isFree)
    .returning('path')
    .execute()
}

function selectAttachments(db: Db, paths: readonly string[]) {
  // The index is over the hash, which is part of the path.
  const hashes = paths.map((path) => /[0-9a-f]{64}/.exec(path)?.[0] ?? '')
  return db
    .selectFrom('attachment')
    .select(['id', 'path', 'hash', 'size', 'name', 'ext', 'width', 'height'])
    .where('hash', 'in', hashes)
    .where('path', 'in', paths)
    .where('enable', '=', 1)
    .orderBy('id')
}

function uniqueByPath<T extends { path: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.path, row])).values()]
}

function withoutPaths(paths: readonly string[], rows: readonly { path: string }[]): string[] {
  const excluded = new Set(rows.map(({ path }) => path))
  return paths.filter((path) => !excluded.has(path))
}
