import { type MiddlewareFunction, redirect } from 'react-router'
import { AdminLayout } from '#web/admin/shell/admin-layout.client.tsx'
import { refreshPermissions } from '#web/admin/shell/refresh-permissions.ts'
import { guard } from '#web/domain/route-guard.ts'

/** The guard runs again after the permissions have been loaded. */
const checkAccess: MiddlewareFunction = async ({ url }, next) => {
  await refreshPermissions()
  const target = guard.findRedirect(url)
  if (target !== undefined) throw redirect(target)
  return next()
}

export const clientMiddleware = [checkAccess]

/** Client middleware runs only for routes with a loader. */
export function clientLoader() {
  return null
}

export default AdminLayout

export function HydrateFallback() {
  return <p style={{ padding: '40vh 24px 0', textAlign: 'center' }}>正在打开管理后台…</p>
}
