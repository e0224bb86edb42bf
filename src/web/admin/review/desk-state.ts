import type { ReviewQueue } from '#shared/contract/review.ts'

export type Decision = 'approve' | 'reject'
/** `elsewhere`: another reviewer has decided, or it is gone. */
export type Outcome = Decision | 'elsewhere'

/** Where a reviewer is in the queue. Ids keep their places, so that one can go back to what has been decided. */
export interface DeskState {
  ids: readonly number[]
  /** How many wait beyond `ids`. */
  unloaded: number
  /** The place of the current item; the number of ids at the end. */
  at: number
  outcomes: ReadonlyMap<number, Outcome>
}

export function startDesk({ id, total }: ReviewQueue): DeskState {
  return { ids: id, unloaded: total - id.length, at: 0, outcomes: new Map() }
}

/** When an item was handed in last: what is changed after its review waits anew. */
export function submittedAt({ created_at, updated_at }: { created_at: number | null; updated_at: number | null }) {
  return created_at === null ? updated_at : Math.max(created_at, updated_at ?? 0)
}

export function currentId({ ids, at }: DeskState): number | undefined {
  return ids[at]
}

/** One place forward or back, whatever has been decided there. */
export function move(state: DeskState, by: 1 | -1): DeskState {
  return { ...state, at: Math.min(Math.max(state.at + by, 0), state.ids.length) }
}

/** Records an outcome; from the item itself it goes on to the next one that is undecided. */
export function decide(state: DeskState, id: number, outcome: Outcome): DeskState {
  const decided = { ...state, outcomes: new Map(state.outcomes).set(id, outcome) }
  return currentId(state) === id ? { ...decided, at: nextUndecided(decided) } : decided
}

/** Back to an item whose decision was taken back, or did not reach the server. */
export function reopen(state: DeskState, id: number): DeskState {
  const outcomes = new Map(state.outcomes)
  outcomes.delete(id)
  const place = state.ids.indexOf(id)
  return { ...state, outcomes, at: place < 0 ? state.at : place }
}

/** The place of the next undecided item after the current one; the end if there is none. */
export function nextUndecided({ ids, at, outcomes }: DeskState): number {
  const offset = ids.slice(at + 1).findIndex((id) => !outcomes.has(id))
  return offset < 0 ? ids.length : at + 1 + offset
}

/** The next part of the queue. */
export function extend(state: DeskState, { id, total }: ReviewQueue): DeskState {
  const known = new Set(state.ids)
  const added = id.filter((one) => !known.has(one))
  return { ...state, ids: [...state.ids, ...added], unloaded: total - id.length }
}

/** To the first item that was passed without a decision. */
export function returnToSkipped(state: DeskState): DeskState {
  const first = state.ids.findIndex((id) => !state.outcomes.has(id))
  return first < 0 ? state : { ...state, at: first }
}

export function countUndecided({ ids, unloaded, outcomes }: DeskState): number {
  return unloaded + ids.filter((id) => !outcomes.has(id)).length
}

export function countDecided({ outcomes }: DeskState): number {
  return [...outcomes.values()].filter((outcome) => outcome !== 'elsewhere').length
}
