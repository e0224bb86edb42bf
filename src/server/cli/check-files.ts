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
  /** The name of one of its attachments. */
  name: string
}

const pageSize = 200

/** Contents of attachments that are missing or altered. Each is read completely unless `quick`. */
export async function* findBadFiles(ctx: Ctx, { quick }: { quick: boolean }): AsyncGenerator<BadFile> {
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
      .limit(pageSize)
      .execute()
    for (const { hash, name, size, stored } of rows) {
      const fault = stored ? await findFault(ctx.storage, { hash, size, quick }) : 'missing'
      // It may have been deleted, and its file with it, since the row was read.
      if (fault && (await isNeeded(ctx, hash))) yield { fault, hash, name }
    }
    if (rows.length < pageSize) return
    last = rows.at(-1)?.hash ?? ''
  }
}

/** Renditions with missing files. */
export async function* findBrokenRenditions(ctx: Ctx): AsyncGenerator<Rendition> {
  for (let last = ''; ;) {
    const rows = await ctx.db
      .selectFrom('rendition')
      .selectAll()
      .where('state', '=', 'done')
      .where('pages', '>', 0)
      .where('hash', '>', last)
      .orderBy('hash')
      .limit(pageSize)
      .execute()
    for (const rendition of rows)
      if ((await isIncomplete(ctx.storage, rendition)) && (await isUnchanged(ctx, rendition))) yield rendition
    if (rows.length < pageSize) return
    last = rows.at(-1)?.hash ?? ''
  }
}

/** Queues a new conversion if the source exists and a document uses it. */
export async function repairRendition(ctx: Ctx, { hash }: Rendition): Promise<'queued' | 'noSource' | 'unused'> {
  if (!(await ctx.storage.find(contentKey(hash)))) return 'noSource'
  const documents = await ctx.db
    .selectFrom('document')
    .select('id')
    .where('hash', '=', hash)
    .where('deleted_at', 'is', null)
    .execute()
  if (documents.length === 0) return 'unused'
  await reconvert(ctx, { id: documents.map(({ id }) => id) })
  return 'queued'
}

async function findFault(
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

async function isIncomplete(storage: Storage, rendition: Rendition): Promise<boolean> {
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
