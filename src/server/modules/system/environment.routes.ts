import type { environment } from '#shared/contract/system.ts'
import type { Ctx } from '#server/context.ts'
import { memoizeFor } from '#server/concurrency/memoize.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { findWorkers } from './workers.ts'

const cacheMs = 60_000

export function environmentRoutes(): Handlers<typeof environment> {
  // Detecting means starting every program once: a screen that is reloaded does not do that each time.
  const detectTools = memoizeFor(cacheMs, async ({ converter, now }: Ctx) => {
    const at = now()
    const tools = await converter.tools()
    return { envs: tools.map((tool) => ({ ...tool, checked_at: at })) }
  })
  return { envs: detectTools, workers: findWorkers }
}
