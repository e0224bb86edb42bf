/** The last page read of the most recent documents, as stored in the browser. */

type Position = [uuid: string, page: number]

const maxPositions = 200

export function findPosition(text: string | null, uuid: string): number {
  return read(text).find(([name]) => name === uuid)?.[1] ?? 1
}

/** The first page is the default and is not stored. */
export function withPosition(text: string | null, uuid: string, page: number): string {
  const others = read(text).filter(([name]) => name !== uuid)
  const all: Position[] = page > 1 ? [[uuid, page], ...others] : others
  return JSON.stringify(all.slice(0, maxPositions))
}

function read(text: string | null): Position[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPosition) : []
  } catch {
    return []
  }
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isInteger(value[1]) && value[1] > 0
}
