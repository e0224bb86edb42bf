import { guard } from '#web/domain/route-guard.ts'
import type { Site } from '#web/domain/site.ts'
import { storeSite } from '#web/domain/stored-site.ts'
import { reportPageView, type AnalyticsGlobals } from '#web/features/site/analytics.ts'
import { pageViewEvent, type PageView } from '#web/features/site/visits.ts'
import { copyForOffline, registerServiceWorker } from '#web/lib/browser/service-worker.ts'

/** What no page needs in order to be shown: loaded some seconds after the first one, or with the second. */

let isStarted = false

export function start(event?: Event): void {
  if (isStarted) return
  isStarted = true
  window.addEventListener(pageViewEvent, followPageView)
  if (event) followPageView(event)
  keepSite()
  void registerServiceWorker().then(copyForOffline)
}

let keptSite: Site | undefined

function keepSite(): void {
  const site = guard.site()
  if (site && site !== keptSite) storeSite(site)
  keptSite = site
}

function followPageView(event: Event): void {
  if (!(event instanceof CustomEvent)) return
  const view: PageView = event.detail
  reportPageView(window as AnalyticsGlobals, view)
  keepSite()
  // Not of pages that are only passed through.
  setTimeout(() => view.path === location.pathname + location.search && void copyForOffline(), 2000)
}
