import type { RankingQuery } from '#web/features/documents/ranking/load-ranking.ts'
import { toQueryString } from '#web/features/lists/query-params.ts'

/** The default choice is not in the address. */
export function rankingPath({ by, period }: RankingQuery): string {
  return `/ranking${toQueryString({ by: by === 'read' ? '' : by, period: period === 'week' ? '' : period })}`
}
