import type { Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import type { Viewer } from '#server/context.ts'

/** Throws with the reason and the end of an active punishment of one of these types. */
export function assertNotPunished({ viewer }: { viewer: Viewer }, ...types: Punishment[]): void {
  const message = viewer.punished(...types)
  if (message) throw errors.punishments.active(message)
}

/** Whether a viewer holds all of these permissions (as on the wire), and so may grant or revoke them. */
export function holdsAll(viewer: Viewer, paths: Iterable<string>): boolean {
  return [...paths].every((path) => viewer.can(toPermission(path)))
}

/** The catalogue's name for a wire path; only root holds paths that are not in the catalogue. */
function toPermission(path: string): PermissionPath {
  return path.replace(/^\/api(\.|\/)v1(\.|\/)/, '') as PermissionPath
}
