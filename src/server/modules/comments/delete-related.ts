import { sql } from 'kysely'
import type { ContentType } from '#shared/enums.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import { countShown, type Standing, standingOfTargets } from './comments.counts.ts'
import { holdRows } from './comments.locks.ts'

/** Documents (0) or articles (1) are gone for good: what was said of them, and who kept them, goes too. */
export async function forgetTracesOf(ctx: Ctx, type: ContentType, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const said = await takeComments(ctx, type, ids)
    const kept = await db
      .deleteFrom('favorite')
      .where('type', '=', type)
      .where(among(db, 'document_id', ids))
      .returning('user_id as id')
      .execute()
    await holdRows(ctx, 'user', [...said.map(({ user_id }) => user_id), ...kept.map(({ id }) => id)])
    await countShown(db, said, [])
    await uncountFavorites(db, 'user', kept)
    if (type === 0)
      await db
        .deleteFrom('report')
        .where(among(db, 'document_id', ids))
        .execute()
  })
}

/**
 * Members are gone. What they said stays, under somebody else's name: others have answered it. What they kept is
 * nobody's favourite any more.
 */
export async function forgetMembers(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await transaction(ctx, async ({ db }) => {
    const kept = await db
      .deleteFrom('favorite')
      .where(among(db, 'user_id', ids))
      .returning(['type', 'document_id as id'])
      .execute()
    await uncountFavorites(
      db,
      'document',
      kept.filter(({ type }) => type === 0),
    )
    await uncountFavorites(
      db,
      'article',
      kept.filter(({ type }) => type === 1),
    )
  })
}

/** How they stood at the end: nobody changes them while they are taken. */
async function takeComments(ctx: Ctx, type: ContentType, ids: readonly number[]): Promise<Standing[]> {
  const found = await standingOfTargets(ctx.db, type, ids)
  await holdRows(
    ctx,
    'comment',
    found.map(({ id }) => id),
  )
  const said = await standingOfTargets(ctx.db, type, ids)
  await ctx.db
    .deleteFrom('comment')
    .where('type', '=', type)
    .where(among(ctx.db, 'document_id', ids))
    .execute()
  return said
}

/** One less for each time that a row is named; in one order everywhere, so that nobody waits for one who waits for them. */
async function uncountFavorites(
  db: Db,
  table: 'user' | 'document' | 'article',
  named: readonly { id: number }[],
): Promise<void> {
  const times = Map.groupBy(named, ({ id }) => id)
  for (const [id, { length }] of [...times].toSorted(([a], [b]) => a - b)) {
    await db
      .updateTable(table)
      .set({
        favorite_count: sql<number>`case when favorite_count < ${length} then 0 else favorite_count - ${length} end`,
      })
      .where('id', '=', id)
      .execute()
  }
}
