/** Places that the server does not have yet: of the last seconds, or of a time without a network. */
export interface UnsentPlace {
  uuid: string
  page: number
  /** How much of the page lies above the screen, in thousandths. */
  offset: number
  /** The member may have gone back since. */
  furthest: number
  at: number
  user: number
}

/** As many as the server takes at once. */
const maxPlaces = 200

export function addUnsent(places: readonly UnsentPlace[], place: UnsentPlace): UnsentPlace[] {
  const isOther = ({ uuid, user }: UnsentPlace) => uuid !== place.uuid || user !== place.user
  const furthest = Math.max(place.furthest, ...places.filter((one) => !isOther(one)).map((one) => one.furthest))
  return [{ ...place, furthest }, ...places.filter(isOther)].slice(0, maxPlaces)
}

/** Without those that were sent; one that was replaced since by a later place stays. */
export function withoutSent(places: readonly UnsentPlace[], sent: readonly UnsentPlace[]): UnsentPlace[] {
  return places.filter((place) => !sent.some(({ uuid, at, user }) => [uuid, at, user].join() === keyOf(place)))
}

export function readUnsent(text: string | null): UnsentPlace[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored)
      ? stored
          .map((place: unknown) => (isPlace(place) ? { ...place, furthest: place.furthest ?? place.page } : undefined))
          .filter((place) => place !== undefined)
      : []
  } catch {
    return []
  }
}

function keyOf({ uuid, at, user }: UnsentPlace): string {
  return [uuid, at, user].join()
}

/** Places stored by an earlier version have no furthest page. */
function isPlace(value: unknown): value is Omit<UnsentPlace, 'furthest'> & { furthest?: number } {
  if (typeof value !== 'object' || value === null) return false
  const { uuid, page, offset, at, user }: Partial<Record<keyof UnsentPlace, unknown>> = value
  return typeof uuid === 'string' && [page, offset, at, user].every((part) => Number.isInteger(part))
}
