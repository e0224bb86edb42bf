import { type Selectable, sql, type Updateable } from 'kysely'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { transaction } from '#server/context.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { Prepared } from '#server/convert/converter.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { bookKey } from './storage-keys.ts'

export type Rendition = Selectable<Tables['rendition']>

type Content = Pick<Rendition, 'hash' | 'ext'>

/** When a conversion is done: what people have just brought goes before all that nobody waits for. */
interface Turn {
  priority: number
  runAt?: number
}

export const afterOthers: Turn = { priority: 0 }
export const beforeOthers: Turn = { priority: 10 }

/** What a new document needs to know of pages that are there already. */
type Requested = Pick<Rendition, 'state' | 'pages' | 'width' | 'height'>

/**
 * Has this content converted, unless it is or will be. Call it in the transaction that makes the document: who then
 * ends the conversion waits for it, so that no document is overlooked. `done` means that the document is ready at once.
 * Unless told otherwise it is done in the viewer's turn.
 */
export async function requestRendition(ctx: Ctx, { hash, ext }: Content, turn?: Turn): Promise<Requested> {
  return transaction(ctx, async (ctx) => {
    const now = ctx.now()
    const added = await ctx.db
      .insertInto('rendition')
      .values({ hash, ext, state: 'waiting', created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning(['state', 'pages', 'width', 'height'])
      .executeTakeFirst()
    if (added) {
      await enqueueConversion(ctx, { hash, ext }, turn ?? { priority: await turnOf(ctx) })
      return added
    }
    // The write holds the row until the transaction ends.
    const known = await ctx.db
      .updateTable('rendition')
      .set({ updated_at: now })
      .where('hash', '=', hash)
      .returning(['state', 'pages', 'partial', 'width', 'height'])
      .executeTakeFirstOrThrow()
    if (known.state !== 'failed') return known.partial ? { ...known, pages: 0 } : known
    // Under another extension, or on a better day, the same content may be shown after all.
    await ctx.db
      .updateTable('rendition')
      .set({ state: 'waiting', ext, reason: '', detail: '' })
      .where('hash', '=', hash)
      .execute()
    await enqueueConversion(ctx, { hash, ext }, turn ?? { priority: await turnOf(ctx) })
    return { ...known, state: 'waiting' }
  })
}

export async function enqueueConversion(ctx: Ctx, { hash, ext }: Content, { priority, runAt }: Turn): Promise<void> {
  await enqueue(ctx, {
    kind: direct.has(ext) ? 'document.convert' : 'document.convert-office',
    payload: { hash },
    key: conversionKey(hash),
    priority,
    runAt,
  })
}

export function conversionKey(hash: string): string {
  return `convert:${hash}`
}

export function findRendition(db: Db, hash: string): Promise<Rendition | undefined> {
  return db.selectFrom('rendition').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** A conversion that ends without pages takes back those that it showed on its way. */
export const withoutFirstPages = {
  pages: sql<number>`case when partial = 1 then 0 else pages end`,
  partial: 0,
} as const

/** Writes what is to be seen, unless another has taken the content up or announced something since; false then. */
export async function announceOwn(
  db: Db,
  { hash, run, before }: { hash: string; run: string; before: number },
  values: Updateable<Tables['rendition']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rendition')
    .set(values)
    .where('hash', '=', hash)
    .where('state', '=', 'working')
    .where('run', '=', run)
    .where('revision', '=', before)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

export async function documentsOf(db: Db, hash: string): Promise<number[]> {
  const rows = await db.selectFrom('document').select('id').where('hash', '=', hash).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** What the renderer opens for pages that have been announced; undefined when it is gone. */
export async function findBook({ storage }: Pick<Ctx, 'storage'>, rendition: Rendition): Promise<Prepared | undefined> {
  const { hash, revision, made, type } = rendition
  const path = await storage.local(made ? bookKey(hash, revision, type) : contentKey(hash))
  return path ? { path, type: type as Prepared['type'] } : undefined
}

/** Shown without an office program: in a lane of their own, so that they never wait for one. */
const direct: ReadonlySet<string> = new Set(['.pdf', '.txt', '.epub', '.mobi', '.umd', '.azw', '.azw3', '.azw4'])

/** Who brings many documents at once lets others go before: the more of theirs wait, the later the next. */
async function turnOf({ db, viewer }: Ctx): Promise<number> {
  const waiting = await db
    .selectFrom('document')
    .select('id')
    .where('status', 'in', [0, 1])
    .where('user_id', '=', viewer.id)
    .limit(512)
    .execute()
  return beforeOthers.priority - Math.min(9, Math.floor(Math.log2(1 + waiting.length / 4)))
}
