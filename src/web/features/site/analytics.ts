import type { PageView } from '#web/features/site/visits.ts'

/** The globals by which well-known analytics scripts are told of a page view. */
export interface AnalyticsGlobals {
  _hmt?: unknown[]
  _czc?: unknown[]
  _paq?: unknown[]
  dataLayer?: unknown[]
  LA?: { track?: (event: string, values: object) => void }
}

/**
 * Tells the owner's analytics code of a page view. Others listen to the event of visits.ts, or watch the history
 * themselves, as Google Analytics 4 does: Google gets an event for its tag manager, not a second page view.
 */
export function reportPageView(analytics: AnalyticsGlobals, { path, title, previous }: PageView): void {
  // As when a page is loaded: none of the account and the back office.
  if (/^\/(admin|me)([/?]|$)/.test(path)) return
  analytics._hmt?.push(['_trackPageview', path])
  analytics._czc?.push(['_trackPageview', path, previous])
  analytics._paq?.push(['setReferrerUrl', previous], ['setCustomUrl', path], ['setDocumentTitle', title])
  analytics._paq?.push(['trackPageView'])
  analytics.dataLayer?.push({ event: 'wendou_pageview', page_path: path, page_title: title, page_referrer: previous })
  analytics.LA?.track?.('pageview', { path, title })
}
