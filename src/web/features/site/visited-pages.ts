import { useEffect } from 'react'
import { useLocation, useMatches, type MiddlewareFunction } from 'react-router'
import { isUnreachable } from '#web/lib/load.ts'
import { currentSession } from '#web/lib/session.ts'

/** The data of the pages that this tab has shown: without a network it can go back to them, and refreshing keeps them. */

type PageData = Record<string, unknown>

const maxPages = 50
const pages = new Map<string, PageData>()

export function useKeepPage(): void {
  const { pathname, search } = useLocation()
  const matches = useMatches()
  useEffect(() => {
    const key = keyOf(pathname, search)
    const loaded = matches.flatMap(({ id, loaderData }) => (loaderData === undefined ? [] : [[id, loaderData]]))
    const page = { ...pages.get(key), ...Object.fromEntries(loaded) }
    pages.delete(key)
    pages.set(key, page)
    for (const oldest of [...pages.keys()].slice(0, -maxPages)) pages.delete(oldest)
  }, [pathname, search, matches])
}

interface Result {
  type: 'data' | 'error'
  result: unknown
}

/** Puts the data of the last visit in the place of what could not be loaded. */
export const showVisitedPage: MiddlewareFunction<Record<string, Result>> = async ({ url }, next) => {
  const results = await next()
  const shown = pages.get(keyOf(url.pathname, url.search))
  for (const [id, { type, result }] of Object.entries(results)) {
    const data = shown?.[id]
    if (type === 'error' && data !== undefined && isUnreachable(result)) results[id] = { type: 'data', result: data }
  }
  return results
}

/** What one member has seen is not for another. The query of a document only says how far it was read. */
function keyOf(pathname: string, search: string): string {
  return `${currentSession().token} ${pathname}${pathname.startsWith('/document/') ? '' : search}`
}
