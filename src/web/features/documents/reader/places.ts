/** Where one stopped reading, for the documents read last. */

type Place = [uuid: string, page: number]

const mostPlaces = 200

export function placeIn(text: string | null, uuid: string): number {
  return read(text).find(([name]) => name === uuid)?.[1] ?? 1
}

/** The first page is where everyone starts: it need not be kept. */
export function withPlace(text: string | null, uuid: string, page: number): string {
  const others = read(text).filter(([name]) => name !== uuid)
  const all: Place[] = page > 1 ? [[uuid, page], ...others] : others
  return JSON.stringify(all.slice(0, mostPlaces))
}

function read(text: string | null): Place[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPlace) : []
  } catch {
    return []
  }
}

function isPlace(value: unknown): value is Place {
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isInteger(value[1]) && value[1] > 0
}
