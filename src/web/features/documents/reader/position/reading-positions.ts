/** The last page read of the most recent documents, and the furthest, as stored in the browser. */

/** `user` is 0 for a place of a visitor: the member who logs in next takes it over. */
export type Position = [uuid: string, page: number, at: number, user: number, furthest: number]

type StoredPosition = [uuid: string, page: number, at?: number, user?: number, furthest?: number]

export const positionsKey = 'wendou-places'
const maxPositions = 200

/** The place of this user, or of a visitor. */
export function findPosition(text: string | null, uuid: string, user: number): Position | undefined {
  return readPositions(text).find((position) => position[0] === uuid && (position[3] === 0 || position[3] === user))
}

/** The first page is the default: who never was further has no place. */
export function withPosition(
  text: string | null,
  [uuid, page, at, user]: [uuid: string, page: number, at: number, user: number],
): string {
  const furthest = Math.max(page, findPosition(text, uuid, user)?.[4] ?? 0)
  const others = readPositions(text).filter(([name]) => name !== uuid)
  const position: Position = [uuid, page, at, user, furthest]
  return JSON.stringify((furthest > 1 ? [position, ...others] : others).slice(0, maxPositions))
}

/** Places that an earlier version stored have neither a time nor a user nor a furthest page. */
export function readPositions(text: string | null): Position[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored)
      ? stored
          .filter(isPosition)
          .map(([uuid, page, at = 0, user = 0, furthest = page]) => [uuid, page, at, user, furthest])
      : []
  } catch {
    return []
  }
}

function isPosition(value: unknown): value is StoredPosition {
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isInteger(value[1]) && value[1] > 0
}
