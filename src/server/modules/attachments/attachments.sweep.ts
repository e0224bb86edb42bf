import { setImmediate as others } from 'node:timers/promises'
import { sql, type SqlBool } from 'kysely'
import { type Ctx, transaction } from '#server/context.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { contentKey } from './storage-keys.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** An article is not always written in a day. */
const writing = 30 * day
/** Longer than it takes to bring a file to its place and to record it. */
const settling = 2 * 60 * minute
/** Longer than a removal takes; one that was cut short is taken up after it. */
const removal = 10 * minute
const batch = 500

const isNeeded = sql<SqlBool>`exists (
  select 1 from attachment
  where attachment.hash = stored_file.hash and (attachment.deleted_at is null or attachment.enable = 1)
)`

/** Uploads that nobody made anything of, and pictures that nothing shows any more. */
export async function retireUnused(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  const present = ctx.db.updateTable('attachment').set({ deleted_at: now }).where('deleted_at', 'is', null)
  const idle = present.where('created_at', '<', now - day)
  await idle.where('type', 'in', [0, 2, 4, 8]).where('type_id', '=', 0).execute()
  await present
    .where('created_at', '<', now - writing)
    .where('type', '=', 3)
    .where('type_id', '=', 0)
    .execute()
  await idle
    .where('type', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('user')
            .select('user.id')
            .whereRef('user.id', '=', 'attachment.type_id')
            .whereRef('user.avatar', '=', 'attachment.path'),
        ),
      ),
    )
    .execute()
  // What staff put on the site may stand in a text as well as in a field of its own.
  const shown = sql<string>`'%' || attachment.path || '%'`
  await idle
    .where('type', 'in', [5, 6, 7])
    .where('type_id', '=', 0)
    .where(({ not, or, exists, selectFrom }) =>
      not(
        or([
          exists(selectFrom('setting').select('setting.name').where('setting.value', 'like', shown)),
          exists(selectFrom('advertisement').select('advertisement.id').where('advertisement.content', 'like', shown)),
          exists(selectFrom('banner').select('banner.id').whereRef('banner.path', '=', 'attachment.path')),
          exists(
            selectFrom('category')
              .select('category.id')
              .where(({ eb, ref }) =>
                eb.or([
                  eb('category.cover', '=', ref('attachment.path')),
                  eb('category.icon', '=', ref('attachment.path')),
                  eb('category.description', 'like', shown),
                ]),
              ),
          ),
        ]),
      ),
    )
    .execute()
}

/** After the time in which it could be called back. A ban stays: it is what keeps the content out. */
export async function purgeRetired(ctx: Ctx): Promise<void> {
  const before = ctx.now() - ctx.settings.security.attachment_retention_minute * minute
  await ctx.db.deleteFrom('attachment').where('deleted_at', '<=', before).where('enable', '=', 1).execute()
}

/**
 * Content that no attachment needs goes, and what was made of it. All content is looked at, some at a time: one statement
 * over all of it would keep a whole site waiting.
 */
export async function removeUnneeded(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (let last = ''; ; await others()) {
    if (signal?.aborted) return
    const rows = await ctx.db
      .selectFrom('stored_file')
      .select('hash')
      .select(({ eb, or, and, not }) =>
        eb
          .case()
          .when(and([eb('seen_at', '<', ctx.now() - removal), or([eb('leaving', '=', 1), not(isNeeded)])]))
          .then(1)
          .else(0)
          .end()
          .as('unneeded'),
      )
      .where('hash', '>', last)
      .orderBy('hash')
      .limit(batch)
      .execute()
    for (const { hash, unneeded } of rows) if (unneeded && (await seize(ctx, hash))) await leave(ctx, hash)
    if (rows.length < batch) return
    last = rows.at(-1)?.hash ?? ''
  }
}

/** Files that no row knows, left by something that was cut short. */
export async function removeOrphans(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  let hashes: string[] = []
  const check = async () => {
    const rows = await ctx.db.selectFrom('stored_file').select('hash').where('hash', 'in', hashes).execute()
    const known = new Set(rows.map(({ hash }) => hash))
    for (const hash of hashes) if (!known.has(hash) && (await seizeUnknown(ctx, hash))) await leave(ctx, hash)
    hashes = []
  }
  for await (const { key, changedAt } of ctx.storage.list('files/')) {
    if (signal?.aborted) return
    if (changedAt > ctx.now() - day) continue
    hashes.push(key.split('/').at(-1) ?? '')
    if (hashes.length === batch) await check()
  }
  if (hashes.length > 0) await check()
}

/** From here on whoever brings the same content waits until it has gone. Decided by one statement, at the last moment. */
async function seize(ctx: Ctx, hash: string): Promise<boolean> {
  const now = ctx.now()
  const { numUpdatedRows } = await ctx.db
    .updateTable('stored_file')
    .set({ leaving: 1, seen_at: now })
    .where('hash', '=', hash)
    .where(({ eb, or, and, not }) =>
      or([
        and([eb('leaving', '=', 1), eb('seen_at', '<', now - removal)]),
        and([eb('leaving', '=', 0), eb('seen_at', '<', now - settling), not(isNeeded)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

async function seizeUnknown(ctx: Ctx, hash: string): Promise<boolean> {
  const now = ctx.now()
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('stored_file')
    .values({ hash, size: 0, leaving: 1, seen_at: now, created_at: now })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

async function leave(ctx: Ctx, hash: string): Promise<void> {
  await ctx.storage.remove([contentKey(hash)])
  await transaction(ctx, async (ctx) => {
    await ctx.db.deleteFrom('stored_file').where('hash', '=', hash).where('leaving', '=', 1).execute()
    await enqueue(ctx, { kind: 'rendition.remove', payload: { hash } })
  })
}
