export interface Waiting {
  document: string
  urgency: 0 | 1 | 2
}

/** Urgent work first; inside one urgency the documents take turns, so that a long one does not hold up the others. */
export interface FairQueue<T extends Waiting> {
  add(item: T): void
  remove(item: T): void
  /** The next one. A document that `prefers` names may go before its turn, but not for ever. */
  take(prefers?: (document: string) => boolean): T | undefined
  readonly size: number
}

const mostPassed = 3

export function fairQueue<T extends Waiting>(): FairQueue<T> {
  const levels = [newLevel<T>(), newLevel<T>(), newLevel<T>()] as const
  return {
    add(item) {
      const { turns } = levels[item.urgency]
      const waiting = turns.get(item.document)
      if (waiting) waiting.push(item)
      else turns.set(item.document, [item])
    },
    remove(item) {
      const { turns } = levels[item.urgency]
      const waiting = turns.get(item.document) ?? []
      const at = waiting.indexOf(item)
      if (at >= 0) waiting.splice(at, 1)
      if (waiting.length === 0) turns.delete(item.document)
    },
    take(prefers) {
      for (const level of levels) if (level.turns.size > 0) return takeTurn(level, prefers)
      return undefined
    },
    get size() {
      return levels.reduce((sum, { turns }) => sum + turns.values().reduce((n, { length }) => n + length, 0), 0)
    },
  }
}

interface Level<T> {
  /** By document; the first of them is next. */
  turns: Map<string, T[]>
  /** How often the next one was passed over. */
  passed: number
}

function newLevel<T>(): Level<T> {
  return { turns: new Map(), passed: 0 }
}

function takeTurn<T>(level: Level<T>, prefers: ((document: string) => boolean) | undefined): T | undefined {
  const [next] = level.turns.keys()
  if (next === undefined) return undefined
  const preferred = prefers && level.passed < mostPassed ? level.turns.keys().find(prefers) : undefined
  const document = preferred ?? next
  level.passed = document === next ? 0 : level.passed + 1
  const waiting = level.turns.get(document) ?? []
  const item = waiting.shift()
  level.turns.delete(document)
  if (waiting.length > 0) level.turns.set(document, waiting)
  return item
}
