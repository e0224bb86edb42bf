import { sql } from 'kysely'
import { allCodes } from '#shared/codes.ts'
import type { documents } from '#shared/contract/documents.ts'
import { DocumentStatus, publicStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { Visibility } from '#shared/enums.ts'
import { type RankingOrder, type RankingPeriod, rankingPeriods } from '#shared/ranking.ts'
import { memoizeFor } from '#server/concurrency/memoize.ts'
import type { Ctx } from '#server/context.ts'
import { dayStart, toDay } from '#server/days.ts'
import { eachContentOnce } from '../documents.copies.ts'
import { presentDocuments } from '../documents.present.ts'
import { findListedDocuments } from '../documents.queries.ts'

const maxRanked = 50
const cachedForMs = 60_000

const counters = {
  read: { column: 'view_count', ofDay: 'reads', setting: 'show_document_view_count' },
  download: { column: 'download_count', ofDay: 'downloads', setting: 'show_document_download_count' },
  favorite: { column: 'favorite_count', ofDay: 'favorites', setting: 'show_document_favorite_count' },
} as const satisfies Record<RankingOrder, object>

interface Ranked {
  id: number
  count: number
}

type Audience = 'visitors' | 'members'

const audiences: Record<Audience, readonly Visibility[]> = {
  visitors: [Visibility.Public],
  members: [Visibility.Public, Visibility.Members],
}

/**
 * Which documents are ranked is computed once a minute for all visitors, and for all members; whether they still show in the
 * viewer's lists is checked each time. Documents for groups are not ranked; of equal content the first is, as in lists.
 */
export function openRanking() {
  const cached = new Map<string, (ctx: Ctx) => Promise<Ranked[]>>()
  const rankedFor = (ctx: Ctx, by: RankingOrder, period: RankingPeriod) => {
    const audience = ctx.viewer.id === 0 ? 'visitors' : 'members'
    const key = `${by} ${period} ${audience}`
    const rank = cached.get(key) ?? memoizeFor(cachedForMs, (ctx: Ctx) => findRanked(ctx, { by, period, audience }))
    cached.set(key, rank)
    return rank(ctx)
  }
  return async (ctx: Ctx, input: Input<typeof documents.ranking>): Promise<Reply<typeof documents.ranking>> => {
    const { by, period, limit } = input
    const ranked = await rankedFor(ctx, by, period)
    const rows = await findListedDocuments(
      ctx,
      ranked.map(({ id }) => id),
    )
    const shown = await presentDocuments(ctx, rows.slice(0, Math.min(limit || maxRanked, maxRanked)))
    const counts = new Map(ranked.map(({ id, count }) => [id, count]))
    const isShown = ctx.viewer.isStaff || ctx.settings.display[counters[by].setting]
    return {
      document: shown.map((document) => ({ ...document, ranking_count: isShown ? (counts.get(document.id) ?? 0) : 0 })),
    }
  }
}

interface RankingScope {
  by: RankingOrder
  period: RankingPeriod
  audience: Audience
}

/** More than are shown: some may be hidden within the minute. */
function findRanked(ctx: Ctx, { by, period, audience }: RankingScope): Promise<Ranked[]> {
  const { days } = rankingPeriods[period]
  const limit = 2 * maxRanked
  return days === 0
    ? selectOfAllTime(ctx, by, audience).limit(limit).execute()
    : selectOfDays(ctx, by, audience, days).limit(limit).execute()
}

/** Along the covering index of the counter; hidden ones by exclusion, as in lists. */
function selectOfAllTime({ db }: Ctx, by: RankingOrder, audience: Audience) {
  const { column } = counters[by]
  const hidden = allCodes(DocumentStatus).filter((status) => !publicStatuses.includes(status))
  const counted = db
    .selectFrom('document')
    .select(['id', `${column} as count`])
    .where(column, '>', 0)
    .where('deleted_at', 'is', null)
    .where('status', 'not in', hidden)
    .where('visibility', 'in', audiences[audience])
  return eachContentOnce(counted).orderBy(column, 'desc').orderBy('id', 'desc')
}

function selectOfDays({ db, now }: Ctx, by: RankingOrder, audience: Audience, days: number) {
  const counter = sql.ref<number>(`document_day.${counters[by].ofDay}`)
  // PostgreSQL's sum of integers is a decimal.
  const sum = sql<number>`cast(sum(${counter}) as bigint)`
  const counted = db
    .selectFrom('document_day')
    .innerJoin('document', 'document.id', 'document_day.document_id')
    .select(['document.id', sum.as('count')])
    .where('document_day.day', '>=', toDay(dayStart(now(), days - 1)))
    .where(counter, '>', 0)
    .where('document.deleted_at', 'is', null)
    .where('document.status', 'in', [...publicStatuses])
    .where('document.visibility', 'in', audiences[audience])
  return eachContentOnce(counted).groupBy('document.id').orderBy(sum, 'desc').orderBy('document.id', 'desc')
}
