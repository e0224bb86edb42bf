import type { Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import type { Viewer } from '#server/context.ts'

/** Stops who is under a punishment of one of these kinds, and says until when and why. */
export function refusePunished({ viewer }: { viewer: Viewer }, ...kinds: Punishment[]): void {
  const sentence = viewer.punished(...kinds)
  if (sentence) throw errors.punishments.active(sentence)
}

/** Whether a viewer holds all of these permissions (as on the wire), and so may give, take or govern them. */
export function withinReach(viewer: Viewer, paths: Iterable<string>): boolean {
  return [...paths].every((path) => viewer.can(short(path)))
}

/** The catalogue's name for a wire path; one that is not in the catalogue is held by root alone. */
function short(path: string): PermissionPath {
  return path.replace(/^\/api(\.|\/)v1(\.|\/)/, '') as PermissionPath
}
