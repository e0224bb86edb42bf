import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { AttachmentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import type { Range } from '#server/storage/storage.ts'
import { contentKey } from './storage-keys.ts'

export interface Content {
  /** SHA-256. */
  hash: string
  size: number
}

export interface LocalFile extends Content {
  path: string
}

export interface Uploader {
  userId: number
  /** Empty for what the site has fetched itself. */
  ip: string
}

export interface NewAttachment extends Content, Uploader {
  type: AttachmentType
  typeId?: number
  name: string
  ext: string
  path?: string
  width?: number
  height?: number
}

/** The files of documents, uploaded or crawled. */
export const documentFileTypes: readonly AttachmentType[] = [AttachmentType.Document, AttachmentType.CrawledDocument]

/** How long to wait for content that is being deleted at the moment. */
const waitStepMs = 100
const maxWaitSteps = 100

/**
 * Moves a local file into the storage, unless its content is already there. The row is written first, so that the sweep
 * does not delete the new object.
 */
export async function storeContent(ctx: Ctx, { hash, size, path }: LocalFile): Promise<void> {
  for (let step = 0; !(await registerContent(ctx, { hash, size })); step += 1) {
    if (step === maxWaitSteps) throw errors.request.timeout()
    await sleep(waitStepMs)
  }
  const stored = await ctx.storage.find(contentKey(hash))
  if (stored?.size !== size) await explainDiskFull(ctx.storage.moveIn(contentKey(hash), path))
}

/** Records an upload of stored content, in the caller's transaction if there is one. */
export function addAttachment(ctx: Ctx, { hash, size, type, ...details }: NewAttachment): Promise<number> {
  return transaction(ctx, async (ctx) => {
    if (!(await touchContent(ctx, { hash, size }))) throw errors.request.timeout()
    await assertNotBanned(ctx, hash)
    const now = ctx.now()
    const { id } = await ctx.db
      .insertInto('attachment')
      .values({
        hash,
        size,
        type,
        type_id: details.typeId ?? 0,
        name: details.name,
        ext: details.ext,
        path: details.path ?? '',
        width: details.width ?? 0,
        height: details.height ?? 0,
        user_id: details.userId,
        ip: details.ip,
        deleted_at: null,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

export function uploaderOf({ viewer, origin }: MemberCtx): Uploader {
  return { userId: viewer.id, ip: origin.ip }
}

/** Marks stored content as used, so that the sweep does not delete it for a while. False if it is not stored. */
export async function touchContent(ctx: Ctx, { hash, size }: Content): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('stored_file')
    .set({ last_used_at: ctx.now() })
    .where('hash', '=', hash)
    .where('size', '=', size)
    .where('deleting', '=', 0)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

export async function assertNotBanned(ctx: Ctx, hash: string): Promise<void> {
  const banned = await ctx.db
    .selectFrom('attachment')
    .select('id')
    .where('hash', '=', hash)
    .where('enable', '=', 0)
    .executeTakeFirst()
  if (banned) throw errors.uploads.banned()
}

/** Undefined if the content is not stored. */
export function openContent(ctx: Ctx, hash: string, range?: Range): Promise<Readable | undefined> {
  return ctx.storage.read(contentKey(hash), range)
}

/** Replaces the error of a full disk by a message for users. */
export async function explainDiskFull<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isDiskFull(error) ? errors.uploads.diskFull() : error
  }
}

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // 53100 is PostgreSQL's disk_full, 13 is SQLITE_FULL.
  return ['ENOSPC', 'EDQUOT', '53100'].includes(String(code)) || errcode === 13
}

async function registerContent(ctx: Ctx, { hash, size }: Content): Promise<boolean> {
  const now = ctx.now()
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('stored_file')
    .values({ hash, size, last_used_at: now, created_at: now })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ last_used_at: now }).where('stored_file.deleting', '=', 0),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}
