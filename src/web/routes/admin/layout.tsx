import { type MiddlewareFunction, redirect } from 'react-router'
import { AdminLayout } from '#web/admin/shell/admin-layout.client.tsx'
import { ensureRights } from '#web/admin/shell/rights.ts'
import { guarded } from '#web/lib/gate.ts'

/** Rights are asked for when the back office is entered; the guard then runs again, with what is true now. */
const admit: MiddlewareFunction = async ({ url }, next) => {
  await ensureRights()
  const target = guarded(url)
  if (target !== undefined) throw redirect(target)
  return next()
}

export const clientMiddleware = [admit]

/** Middleware runs only where there is something to load. */
export function clientLoader() {
  return null
}

export default AdminLayout

export function HydrateFallback() {
  return <p style={{ padding: '40vh 24px 0', textAlign: 'center' }}>正在打开管理后台…</p>
}
