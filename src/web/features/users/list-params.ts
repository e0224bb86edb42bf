import type { Params } from 'react-router'
import { parseFilters, toTimeRange } from '#web/features/lists/list-filters.ts'
import { notFound, type LoadArgs } from '#web/lib/load.ts'
import { currentSession } from '#web/lib/session.ts'
import { parsePage } from '#web/ui/navigation/pagination.tsx'

export function parseUserId({ id = '' }: Params): number {
  if (!/^[1-9]\d{0,15}$/.test(id)) throw notFound('用户不存在')
  return Number(id)
}

/** The query keys of a user's public list. */
export const listQueryKeys = ['wd', 'time', 'from', 'to', 'page']

/** A user's public list: what the page shows of the address, and the request for it. */
export function parseListParams({ params, url }: Pick<LoadArgs, 'params' | 'url'>) {
  const filters = parseFilters(url.searchParams)
  const page = parsePage(url.searchParams)
  const now = Date.now()
  return {
    filters,
    page,
    now,
    request: { user_id: [parseUserId(params)], created_at: toTimeRange(filters, now), page },
  }
}

export const ownListSize = 20

/** The same for the member's own list, which can be filtered by status too. */
export function parseOwnListParams<S>(query: URLSearchParams, statuses: Record<string, { status: S[] }>) {
  const filters = parseFilters(query, statuses)
  const page = parsePage(query)
  return {
    filters,
    page,
    request: {
      user_id: [currentSession().user.id],
      wd: filters.wd,
      status: statuses[filters.status]?.status ?? [],
      created_at: toTimeRange(filters, Date.now()),
      order: 'id desc',
      page,
      size: ownListSize,
    },
  }
}
