import type { Params } from 'react-router'
import { readNarrowing, timesOf } from '#web/features/users/narrowing.ts'
import { notFound, type Given } from '#web/lib/load.ts'
import { pageOf } from '#web/ui/pagination.tsx'

/** The person whose page the address names. */
export function personIn({ id = '' }: Params): number {
  if (!/^[1-9]\d{0,15}$/.test(id)) throw notFound('用户不存在')
  return Number(id)
}

/** Which part of what that person has made the address names, and how the interface is asked for it. */
export function askedIn({ params, url }: Pick<Given, 'params' | 'url'>) {
  const narrowing = readNarrowing(url.searchParams)
  const page = pageOf(url.searchParams)
  const now = Date.now()
  return { narrowing, page, now, asked: { user_id: [personIn(params)], created_at: timesOf(narrowing, now), page } }
}
