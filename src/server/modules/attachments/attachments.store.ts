import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type { AttachmentType } from '#shared/enums.ts'
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

export interface NewAttachment extends Content {
  type: AttachmentType
  typeId?: number
  name: string
  ext: string
  path?: string
  width?: number
  height?: number
}

/** Waiting for content that is just being removed, in steps. */
const stepMs = 100
const mostSteps = 100

/**
 * Puts a file of this machine where its content is kept, unless it is there. The row that says so comes first: whoever
 * tidies up sees it, and does not take away what has just been brought.
 */
export async function keepContent(ctx: Ctx, { hash, size, path }: LocalFile): Promise<void> {
  for (let step = 0; !(await announce(ctx, { hash, size })); step += 1) {
    if (step === mostSteps) throw errors.request.timeout()
    await sleep(stepMs)
  }
  const kept = await ctx.storage.find(contentKey(hash))
  if (kept?.size !== size) await orDiskFull(ctx.storage.take(contentKey(hash), path))
}

/** Records an upload of content that is kept. Part of the caller's transaction, if there is one. */
export function addAttachment(ctx: MemberCtx, { hash, size, type, ...given }: NewAttachment): Promise<number> {
  return transaction(ctx, async (ctx) => {
    if (!(await seen(ctx, { hash, size }))) throw errors.request.timeout()
    await refuseBanned(ctx, hash)
    const now = ctx.now()
    const { id } = await ctx.db
      .insertInto('attachment')
      .values({
        hash,
        size,
        type,
        type_id: given.typeId ?? 0,
        name: given.name,
        ext: given.ext,
        path: given.path ?? '',
        width: given.width ?? 0,
        height: given.height ?? 0,
        user_id: ctx.viewer.id,
        ip: ctx.origin.ip,
        deleted_at: null,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/** Whether this content is kept and stays for a while; from now on, if it was. */
export async function seen(ctx: Ctx, { hash, size }: Content): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('stored_file')
    .set({ seen_at: ctx.now() })
    .where('hash', '=', hash)
    .where('size', '=', size)
    .where('leaving', '=', 0)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

export async function refuseBanned(ctx: Ctx, hash: string): Promise<void> {
  const banned = await ctx.db
    .selectFrom('attachment')
    .select('id')
    .where('hash', '=', hash)
    .where('enable', '=', 0)
    .executeTakeFirst()
  if (banned) throw errors.uploads.banned()
}

/** The bytes, or some of them; undefined when there is no such content. */
export function openContent(ctx: Ctx, hash: string, range?: Range): Promise<Readable | undefined> {
  return ctx.storage.read(contentKey(hash), range)
}

/** A full disk is nobody's mistake, and passes: people are told so. */
export async function orDiskFull<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isDiskFull(error) ? errors.uploads.diskFull() : error
  }
}

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // The last two are the databases' own words for it.
  return ['ENOSPC', 'EDQUOT', '53100'].includes(String(code)) || errcode === 13
}

async function announce(ctx: Ctx, { hash, size }: Content): Promise<boolean> {
  const now = ctx.now()
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('stored_file')
    .values({ hash, size, seen_at: now, created_at: now })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ seen_at: now }).where('stored_file.leaving', '=', 0),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}
