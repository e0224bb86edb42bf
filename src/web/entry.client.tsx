import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { registerServiceWorker } from '#web/lib/browser/service-worker.ts'
import { reloadWhenScriptsFail } from '#web/lib/browser/reload.ts'

reloadWhenScriptsFail()
registerServiceWorker()

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
