import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { keepOfflinePage } from '#web/lib/offline.ts'
import { reloadWhenScriptsFail } from '#web/lib/reload.ts'

reloadWhenScriptsFail()
keepOfflinePage()

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
