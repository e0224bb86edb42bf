import { createHash } from 'node:crypto'
import { neededKeys } from '../backup/contents.ts'
import type { Ctx } from '../context.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { reconvert } from '#server/modules/documents/publishing/reconvert.ts'
import type { Rendition } from '#server/modules/renditions/renditions.queries.ts'
import type { Storage } from '../storage/storage.ts'

export interface BadFile {
  fault: 'missing' | 'altered'
  hash: string
  /** What somebody called it. */
  name: string
}

const page = 200

/** Contents that attachments need and that are not as they were brought. Each is read whole unless `quick`. */
export async function* badFiles(ctx: Ctx, { quick }: { quick: boolean }): AsyncGenerator<BadFile> {
  for (let last = ''; ;) {
    const rows = await ctx.db
      .selectFrom('attachment')
      .leftJoin('stored_file', 'stored_file.hash', 'attachment.hash')
      .select(({ fn }) => ['attachment.hash', fn.max('attachment.name').as('name')])
      .select(({ fn }) => [fn.max('attachment.size').as('size'), fn.max('stored_file.hash').as('stored')])
      .where('attachment.deleted_at', 'is', null)
      .where('attachment.hash', '>', last)
      .groupBy('attachment.hash')
      .orderBy('attachment.hash')
      .limit(page)
      .execute()
    for (const { hash, name, size, stored } of rows) {
      const fault = stored ? await faultOf(ctx.storage, { hash, size, quick }) : 'missing'
      // It may have been deleted, and its file with it, since the row was read.
      if (fault && (await isNeeded(ctx, hash))) yield { fault, hash, name }
    }
    if (rows.length < page) return
    last = rows.at(-1)?.hash ?? ''
  }
}

/** Conversions of which something is gone. */
export async function* brokenRenditions(ctx: Ctx): AsyncGenerator<Rendition> {
  for (let last = ''; ;) {
    const rows = await ctx.db
      .selectFrom('rendition')
      .selectAll()
      .where('state', '=', 'done')
      .where('pages', '>', 0)
      .where('hash', '>', last)
      .orderBy('hash')
      .limit(page)
      .execute()
    for (const rendition of rows)
      if ((await lacks(ctx.storage, rendition)) && (await isUnchanged(ctx, rendition))) yield rendition
    if (rows.length < page) return
    last = rows.at(-1)?.hash ?? ''
  }
}

/** Made anew from its source, in its turn, if there is a source, and a document that shows it. */
export async function mendRendition(ctx: Ctx, { hash }: Rendition): Promise<'begun' | 'sourceless' | 'unshown'> {
  if (!(await ctx.storage.find(contentKey(hash)))) return 'sourceless'
  const documents = await ctx.db
    .selectFrom('document')
    .select('id')
    .where('hash', '=', hash)
    .where('deleted_at', 'is', null)
    .execute()
  if (documents.length === 0) return 'unshown'
  await reconvert(ctx, { id: documents.map(({ id }) => id) })
  return 'begun'
}

async function faultOf(
  storage: Storage,
  { hash, size, quick }: { hash: string; size: number; quick: boolean },
): Promise<BadFile['fault'] | undefined> {
  const stored = await storage.find(contentKey(hash))
  if (!stored) return 'missing'
  if (stored.size !== size) return 'altered'
  if (quick) return undefined
  const body = await storage.read(contentKey(hash))
  if (!body) return 'missing'
  const sha256 = createHash('sha256')
  for await (const chunk of body) sha256.update(chunk as Uint8Array)
  return sha256.digest('hex') === hash ? undefined : 'altered'
}

async function lacks(storage: Storage, rendition: Rendition): Promise<boolean> {
  for (const key of neededKeys(rendition)) if (!(await storage.find(key))) return true
  return false
}

async function isNeeded({ db }: Ctx, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('attachment')
    .select('id')
    .where('hash', '=', hash)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

async function isUnchanged({ db }: Ctx, { hash, revision }: Rendition): Promise<boolean> {
  const row = await db
    .selectFrom('rendition')
    .select('hash')
    .where('hash', '=', hash)
    .where('revision', '=', revision)
    .where('state', '=', 'done')
    .executeTakeFirst()
  return row !== undefined
}
