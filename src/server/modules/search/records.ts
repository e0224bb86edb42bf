import type { searchRecords } from '#shared/contract/search.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { type ListRules, listRows, matches, within } from '#server/db/list.ts'
import type { AnsweredSearch } from '#server/events.ts'
import { findUsernames } from '#server/modules/users/users.queries.ts'

const dayMs = 86_400_000

/** Kept for as long as a setting says. */
export async function recordSearch(ctx: Ctx, searched: AnsweredSearch): Promise<void> {
  if (ctx.settings.security.search_record_retention_days <= 0) return
  const { type, words, total, page, ms, viewer, ip, network, userAgent } = searched
  const now = ctx.now()
  await ctx.db
    .insertInto('search_record')
    .values({
      user_id: viewer,
      ip,
      network,
      type,
      total,
      page,
      spend_ms: Math.round(ms),
      user_agent: storable(userAgent, 512),
      keywords: storable(words, 64),
      created_at: now,
      updated_at: now,
    })
    .execute()
}

export async function purgeRecords({ db, now, settings }: Ctx): Promise<void> {
  const days = settings.security.search_record_retention_days
  await db
    .deleteFrom('search_record')
    .where('created_at', '<', now() - days * dayMs)
    .execute()
}

const rules: ListRules = {
  order: [['id', 'desc']],
  sortable: ['total', 'spend_time', 'page', 'created_at', 'keywords'],
  sizes: { min: 1, max: 100, default: 20 },
}

export async function listRecords(
  { db }: Ctx,
  input: Input<typeof searchRecords.list>,
): Promise<Reply<typeof searchRecords.list>> {
  const { keywords, ip, user_id, created_at } = input
  let query = db.selectFrom('search_record').selectAll().where(within('created_at', created_at))
  if (keywords) query = query.where(matches(['keywords'], keywords))
  if (ip) query = query.where('ip', '=', ip)
  if (user_id.length > 0) query = query.where('user_id', 'in', user_id)
  const order = input.order.replaceAll('spend_time', 'spend_ms')
  const sortable = [...(rules.sortable ?? []), 'spend_ms']
  const { total, rows } = await listRows(query, { ...input, order, wd: '' }, { ...rules, sortable })
  const names = await findUsernames(
    db,
    rows.map((row) => row.user_id),
  )
  const search_record = rows.map(({ type: _type, network: _network, spend_ms, ...row }) => ({
    ...row,
    spend_time: spend_ms / 1000,
    username: names.get(row.user_id) ?? '',
  }))
  return { total, search_record }
}

/** Words that never found anything, most frequent first: what the library lacks. */
export async function listMissedWords(
  { db }: Ctx,
  { page, size, keywords }: Input<typeof searchRecords.missed>,
): Promise<Reply<typeof searchRecords.missed>> {
  const limit = Math.min(100, Math.max(1, size || 20))
  const records = db.selectFrom('search_record').where('page', '=', 1)
  const missed = (keywords ? records.where(matches(['keywords'], keywords)) : records)
    .select(({ fn }) => [
      fn.max('id').as('id'),
      'keywords',
      fn.countAll<number>().as('times'),
      fn.max('created_at').as('last_at'),
    ])
    .groupBy('keywords')
    .having(({ fn }) => fn.max('total'), '=', 0)
  const [{ total }, word] = await Promise.all([
    db
      .selectFrom(missed.as('missed'))
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
    missed
      .orderBy('times', 'desc')
      .orderBy('last_at', 'desc')
      .limit(limit)
      .offset((Math.max(1, page) - 1) * limit)
      .execute(),
  ])
  return { total, word }
}

export async function deleteRecords({ db }: Ctx, { id }: Input<typeof searchRecords.delete>): Promise<void> {
  await db.deleteFrom('search_record').where('id', 'in', id).execute()
}

function storable(text: string, length: number): string {
  return text.replaceAll('\0', '').slice(0, length).toWellFormed()
}
