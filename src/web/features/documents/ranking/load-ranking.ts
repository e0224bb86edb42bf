import { documents } from '#shared/contract/documents.ts'
import { type RankingOrder, rankingOrders, type RankingPeriod, rankingPeriods } from '#shared/ranking.ts'
import { type CoverTile, toCoverTile } from '#web/features/documents/browse/document-summary.ts'
import { parseKey } from '#web/features/lists/query-params.ts'
import type { LoadArgs } from '#web/lib/load.ts'

export interface RankedDocument extends CoverTile {
  username: string
  /** 0 where the site does not show it. */
  count: number
}

export interface RankingQuery {
  by: RankingOrder
  period: RankingPeriod
}

export async function loadRanking({ api, url: { searchParams } }: LoadArgs) {
  const query: RankingQuery = {
    by: parseKey(rankingOrders, searchParams.get('by')) ?? 'read',
    period: parseKey(rankingPeriods, searchParams.get('period')) ?? 'week',
  }
  const { document } = await api(documents.ranking, query)
  const ranked = document.map((row): RankedDocument => ({
    ...toCoverTile(row),
    username: row.username,
    count: row.ranking_count,
  }))
  return { query, documents: ranked, renderedAnonymously: import.meta.env.SSR }
}
