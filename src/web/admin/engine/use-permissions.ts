import type { Access, Endpoint } from '#shared/endpoint.ts'
import { type PermissionPath, rootId, wirePath } from '#shared/permissions.ts'
import { useSession } from '#web/lib/session.ts'

/** What the signed-in user may do; the rest is not offered. The server checks every call again. */
export function usePermissions() {
  const { user, permissions, allowPages } = useSession()
  const grantedPaths = new Set(permissions.map(({ path }) => path))
  return {
    canCall: (endpoint: Endpoint | undefined) =>
      endpoint !== undefined && admits(endpoint.access, user.id, grantedPaths),
    has: (permission: PermissionPath) => grantedPaths.has(wirePath(permission)),
    canOpen: (page: string) => allowPages.includes(page),
  }
}

function admits(access: Access, userId: number, grantedPaths: Set<string>): boolean {
  if (typeof access === 'object') return grantedPaths.has(wirePath(access.permission))
  if (access === 'root') return userId === rootId
  return access !== 'staff' || grantedPaths.size > 0
}
