import type { Access, Endpoint } from '#shared/endpoint.ts'
import { type PermissionPath, wirePath } from '#shared/permissions.ts'
import { useSession } from '#web/lib/session.ts'

/** What the signed-in user may do: what they may not is not offered. The server decides again by itself. */
export function useMay() {
  const { user, permissions, allowPages } = useSession()
  const held = new Set(permissions.map(({ path }) => path))
  return {
    call: (endpoint: Endpoint | undefined) => endpoint !== undefined && admits(endpoint.access, user.id, held),
    hold: (permission: PermissionPath) => held.has(wirePath(permission)),
    open: (page: string) => allowPages.includes(page),
  }
}

function admits(access: Access, userId: number, held: Set<string>): boolean {
  if (typeof access === 'object') return held.has(wirePath(access.permission))
  if (access === 'root') return userId === 1
  return access !== 'staff' || held.size > 0
}
