import type { Access, Endpoint } from '#shared/endpoint.ts'
import { administratorsId, type PermissionPath, wirePath } from '#shared/permissions.ts'
import { type Session, useSession } from '#web/lib/session.ts'

/** What the signed-in user may do; the rest is not offered. The server checks every call again. */
export function usePermissions() {
  const session = useSession()
  const grantedPaths = new Set(session.permissions.map(({ path }) => path))
  return {
    canCall: (endpoint: Endpoint | undefined) =>
      endpoint !== undefined && admits(endpoint.access, session, grantedPaths),
    has: (permission: PermissionPath) => grantedPaths.has(wirePath(permission)),
    canOpen: (page: string) => session.allowPages.includes(page),
  }
}

function admits(access: Access, { user, groups }: Session, grantedPaths: Set<string>): boolean {
  if (typeof access === 'object') return grantedPaths.has(wirePath(access.permission))
  if (access === 'root') return user.is_root
  if (access === 'administrator') return user.is_root || groups.some(({ id }) => id === administratorsId)
  return access !== 'staff' || grantedPaths.size > 0
}
