import { data, isRouteErrorResponse, type MiddlewareFunction, redirect } from 'react-router'
import type { Route } from './+types/layout.ts'
import { AdminLayout } from '#web/admin/shell/admin-layout.client.tsx'
import { refreshPermissions } from '#web/admin/shell/refresh-permissions.ts'
import { guard } from '#web/domain/route-guard.ts'
import { NoAdminRights } from '#web/features/site/no-admin-rights.tsx'
import { currentSession } from '#web/lib/session.ts'

/** The guard runs again after the permissions have been loaded. */
const checkAccess: MiddlewareFunction = async ({ url }, next) => {
  await refreshPermissions()
  const target = guard.findRedirect(url)
  if (target !== undefined) throw redirect(target)
  if (currentSession().allowPages.length === 0) throw data(null, { status: 403 })
  return next()
}

export const clientMiddleware = [checkAccess]

/** Client middleware runs only for routes with a loader. */
export function clientLoader() {
  return null
}

export default AdminLayout

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 403) return <NoAdminRights />
  throw error
}

export function HydrateFallback() {
  return <p style={{ padding: '40vh 24px 0', textAlign: 'center' }}>正在打开管理后台…</p>
}
