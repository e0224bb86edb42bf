import type { ReadableIndex, TableRow } from '#shared/tables.ts'

/** The rows of a table that are loaded; the others are loaded as they come into sight. */
export interface Rows {
  get(sheet: number, row: number): TableRow | undefined
  /** Has these rows loaded, unless they are. */
  request(sheet: number, first: number, last: number): void
  load(sheet: number, first: number, last: number): Promise<TableRow[]>
  /** Whether a request failed and was not repeated since. */
  hasFailed(): boolean
  retry(): void
  subscribe(listener: () => void): () => void
  /** Changes with every slice that arrives. */
  version(): number
}

/** So much of a long table stays in memory. */
const maxSlices = 100

export async function loadIndex(key: string, signal: AbortSignal): Promise<ReadableIndex> {
  return fetchJson(`/view/table/${key}/index.json`, signal)
}

export function createRows(key: string, rowsPerSlice: number): Rows {
  const slices = new Map<string, TableRow[]>()
  const loading = new Map<string, Promise<TableRow[]>>()
  const failed = new Set<string>()
  const listeners = new Set<() => void>()
  let version = 0
  const changed = () => {
    version += 1
    for (const listener of listeners) listener()
  }
  const loadNew = async (name: string): Promise<TableRow[]> => {
    try {
      const rows = await fetchJson<TableRow[]>(`/view/table/${key}/${name}.json`)
      slices.set(name, rows)
      for (const oldest of slices.keys()) {
        if (slices.size <= maxSlices) break
        slices.delete(oldest)
      }
      return rows
    } catch (error) {
      failed.add(name)
      throw error
    } finally {
      loading.delete(name)
      changed()
    }
  }
  const loadSlice = (name: string): Promise<TableRow[]> => {
    const loaded = slices.get(name)
    if (loaded) {
      // The least recently used one is dropped first.
      slices.delete(name)
      slices.set(name, loaded)
      return Promise.resolve(loaded)
    }
    const current = loading.get(name)
    if (current) return current
    const promise = loadNew(name)
    loading.set(name, promise)
    return promise
  }
  const namesOf = (sheet: number, first: number, last: number) => {
    const [from, to] = [Math.floor(first / rowsPerSlice), Math.floor(last / rowsPerSlice)]
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => `${sheet}-${from + index}`)
  }
  return {
    get: (sheet, row) => slices.get(`${sheet}-${Math.floor(row / rowsPerSlice)}`)?.[row % rowsPerSlice],
    request: (sheet, first, last) => {
      for (const name of namesOf(sheet, first, last)) if (!failed.has(name)) loadSlice(name).catch(() => undefined)
    },
    load: async (sheet, first, last) => {
      const parts: TableRow[][] = []
      for (const name of namesOf(sheet, first, last)) parts.push(await loadSlice(name))
      const start = first - (first % rowsPerSlice)
      return parts.flat().slice(first - start, last - start + 1)
    },
    hasFailed: () => failed.size > 0,
    retry: () => {
      failed.clear()
      changed()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => version,
  }
}

async function fetchJson<T>(address: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(address, signal ? { signal } : {})
  if (!response.ok) throw new Error('表格没有加载成功，请重试')
  return response.json() as Promise<T>
}
