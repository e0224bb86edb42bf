import { sql } from 'kysely'
import type { stats } from '#shared/contract/stats.ts'
import type { Input } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { dayStart, toDay } from '#server/days.ts'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import { overAll, sumOf, toPeriod } from './period.ts'

type DayCounter = 'reads' | 'downloads' | 'favorites'

interface DayCount {
  documentId: number
  counter: DayCounter
  /** When what is counted happened; a favorite that is removed is taken from the day on which it was added. */
  at: number
  /** 1 unless it says otherwise. */
  change?: number
}

/** Longer than any ranking: a year and a month. */
const keptDays = 400

/** Counts on the document's day, never below 0. */
export async function countOnDay(db: Db, { documentId, counter, at, change = 1 }: DayCount): Promise<void> {
  const sum = sql<number>`${sql.ref(`document_day.${counter}`)} + ${change}`
  await db
    .insertInto('document_day')
    .values({ day: toDay(at), document_id: documentId, [counter]: Math.max(0, change) })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'document_id'])
        .doUpdateSet({ [counter]: sql<number>`case when ${sum} < 0 then 0 else ${sum} end` }),
    )
    .execute()
}

const listed = 1000

/** The documents that were read most in a period, with the sums over all. */
export async function listReads(ctx: Ctx, input: Input<typeof stats.reads>) {
  const { from, to } = toPeriod(ctx.now(), input)
  const counters = ['reads', 'downloads', 'favorites'] as const
  const ranking = sql`reads desc, downloads desc, favorites desc, document_id`
  const sums = ctx.db
    .selectFrom('document_day')
    .select('document_id')
    .select(counters.map((counter) => sumOf(sql.ref(counter)).as(counter)))
    .where('day', '>=', toDay(from))
    .where('day', '<', toDay(to))
    .groupBy('document_id')
  const rows = await ctx.db
    .with('ranked', (db) =>
      db
        .selectFrom(sums.as('sum'))
        .selectAll()
        .select(counters.map((counter) => overAll(sql.ref(counter)).as(`all_${counter}` as const)))
        .select(sql<number>`count(*) over ()`.as('total'))
        .where('reads', '>', 0)
        .orderBy(ranking)
        .limit(listed),
    )
    .selectFrom('ranked')
    .leftJoin('document', 'document.id', 'ranked.document_id')
    .leftJoin('user', 'user.id', 'document.user_id')
    .selectAll('ranked')
    .select(['document.title', 'document.uuid', 'document.deleted_at', 'document.user_id', 'user.username'])
    .orderBy(ranking)
    .execute()
  const [first] = rows
  return {
    total: first?.total ?? 0,
    reads: first?.all_reads ?? 0,
    downloads: first?.all_downloads ?? 0,
    favorites: first?.all_favorites ?? 0,
    document: rows.map(({ document_id, title, uuid, deleted_at, user_id, username, reads, downloads, favorites }) => ({
      document_id,
      title: title ?? '',
      href: uuid !== null && deleted_at === null ? `/document/${uuid}` : '',
      user_id: user_id ?? 0,
      username: username ?? '',
      reads,
      downloads,
      favorites,
    })),
  }
}

export async function deleteDocumentDays(db: Db, documentIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('document_day')
    .where(inList(db, 'document_id', documentIds))
    .execute()
}

export async function purgeDocumentDays({ db, now }: Ctx): Promise<void> {
  const oldest = toDay(dayStart(now(), keptDays))
  // A day at a time, so that other writers are not blocked for long.
  for (;;) {
    const first = await db
      .selectFrom('document_day')
      .select('day')
      .where('day', '<', oldest)
      .orderBy('day')
      .limit(1)
      .executeTakeFirst()
    if (!first) return
    await db.deleteFrom('document_day').where('day', '=', first.day).execute()
  }
}
