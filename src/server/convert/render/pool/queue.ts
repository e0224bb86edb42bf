import { RenderPriority } from '../../converter.ts'

export interface QueueItem {
  document: string
  priority: RenderPriority
}

/** A priority queue; items of the same priority are taken from the documents in turn (round robin). */
export interface FairQueue<T extends QueueItem> {
  add(item: T): void
  remove(item: T): void
  /** The next item. One of a document that `prefers` accepts may go first, but only a few times in a row. */
  take(options?: TakeOptions): T | undefined
  /** How many wait, down to this priority. */
  size(lowest?: RenderPriority): number
}

export interface TakeOptions {
  /** Items of a lower priority are left. */
  lowest?: RenderPriority
  prefers?: ((document: string) => boolean) | undefined
}

const maxSkips = 3

export function fairQueue<T extends QueueItem>(): FairQueue<T> {
  const levels = [newLevel<T>(), newLevel<T>(), newLevel<T>()] as const
  return {
    add(item) {
      const { byDocument } = levels[item.priority]
      const items = byDocument.get(item.document)
      if (items) items.push(item)
      else byDocument.set(item.document, [item])
    },
    remove(item) {
      const { byDocument } = levels[item.priority]
      const items = byDocument.get(item.document) ?? []
      const at = items.indexOf(item)
      if (at >= 0) items.splice(at, 1)
      if (items.length === 0) byDocument.delete(item.document)
    },
    take({ lowest = RenderPriority.Background, prefers } = {}) {
      const next = levels.slice(0, lowest + 1).find(({ byDocument }) => byDocument.size > 0)
      return next && takeNext(next, prefers)
    },
    size(lowest = RenderPriority.Background) {
      const items = levels.slice(0, lowest + 1).flatMap(({ byDocument }) => [...byDocument.values()])
      return items.reduce((sum, { length }) => sum + length, 0)
    },
  }
}

interface PriorityLevel<T> {
  /** The first document is next. */
  byDocument: Map<string, T[]>
  /** How often in a row the next document was skipped for a preferred one. */
  skips: number
}

function newLevel<T>(): PriorityLevel<T> {
  return { byDocument: new Map(), skips: 0 }
}

function takeNext<T>(level: PriorityLevel<T>, prefers: ((document: string) => boolean) | undefined): T | undefined {
  const [next] = level.byDocument.keys()
  if (next === undefined) return undefined
  const preferred = prefers && level.skips < maxSkips ? level.byDocument.keys().find(prefers) : undefined
  const document = preferred ?? next
  level.skips = document === next ? 0 : level.skips + 1
  const items = level.byDocument.get(document) ?? []
  const item = items.shift()
  level.byDocument.delete(document)
  if (items.length > 0) level.byDocument.set(document, items)
  return item
}
