import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { pageViewEvent } from '#web/features/site/visits.ts'
import { reloadWhenScriptsFail } from '#web/lib/browser/reload.ts'

reloadWhenScriptsFail()

/** Visitors who leave at once need none of it. */
const afterLoadMs = 5000
const afterLoad = (event?: Event) =>
  void import('#web/features/site/after-load.ts').then(
    ({ start }) => start(event),
    () => {},
  )
window.addEventListener(pageViewEvent, afterLoad, { once: true })
setTimeout(afterLoad, afterLoadMs)

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
