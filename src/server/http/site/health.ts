import { Hono } from 'hono'
import type { Db } from '#server/db/open.ts'

/** Liveness and readiness probes. */
export function health(db: Db, isDraining: () => boolean): Hono {
  const app = new Hono()
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    if (isDraining()) return context.json({ status: 'stopping' }, 503)
    const query = db.selectFrom('migration').select('name').limit(1).execute()
    const reachable = await query.then(
      () => true,
      () => false,
    )
    return context.json({ status: reachable ? 'ok' : 'database unreachable' }, reachable ? 200 : 503)
  })
  return app
}
