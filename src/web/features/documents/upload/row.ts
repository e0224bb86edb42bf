import type { Progress } from '#shared/contract/documents.ts'
import type { Reusable } from '#web/features/documents/upload/leftovers.ts'
import type { RowState } from '#web/features/documents/upload/row-state.ts'

/** What is said about a document before it is published. */
export interface Facts {
  title: string
  keywords: string
  description: string
  /** Undefined as long as what holds for all holds for this one. */
  language: string | undefined
  price: string | undefined
}

/** One file in the list. */
export interface Row extends Facts {
  id: number
  file: File
  ext: string
  state: RowState
  /** Chosen when it was begun. */
  category: readonly number[]
  /** Bytes read through, and bytes sent. */
  read: number
  sent: number
  /** Bytes a second. */
  speed: number
  /** The connection is lost, and it is being tried again. */
  isWaiting: boolean
  isInstant: boolean
  error: string
  /** What the server has of it already. */
  kept: Reusable
  /** What it may have from an earlier visit, if this is still the same file. */
  leftover: Reusable | undefined
  document: (Pick<Progress, 'id' | 'uuid' | 'status'> & Partial<Progress>) | undefined
}

/** What holds for all files that say nothing else. */
export interface Plan {
  category: readonly number[]
  language: string
  price: string
  isFolder: boolean
  hasDetails: boolean
}

export const nothingKept: Reusable = { hash: '', url: '', attachment: 0 }

const mostCredits = 1_000_000

/** A price as typed, made one that can be asked. */
export function priceOf(typed: string): number {
  const value = Math.floor(Number(typed))
  return Number.isFinite(value) ? Math.min(Math.max(value, 0), mostCredits) : 0
}

interface Counts {
  total: number
  startable: number
  busy: number
  published: number
  failed: number
  bytes: number
  /** Of all that was begun, how much has been sent. */
  done: number
  of: number
}

export function countRows(rows: readonly Row[]): Counts {
  const count = (...states: RowState[]) => rows.filter(({ state }) => states.includes(state)).length
  const begun = rows.filter(({ state }) => state !== 'draft')
  const sum = (list: readonly Row[], of: (row: Row) => number) => list.reduce((total, row) => total + of(row), 0)
  return {
    total: rows.length,
    startable: count('draft', 'failed'),
    busy: count('waiting', 'hashing', 'sending', 'publishing'),
    published: count('converting', 'done'),
    failed: count('failed'),
    bytes: sum(rows, ({ file }) => file.size),
    done: sum(begun, sentOf),
    of: sum(begun, ({ file }) => file.size),
  }
}

function sentOf({ state, sent, file }: Row): number {
  return ['publishing', 'converting', 'done', 'failed'].includes(state) ? file.size : sent
}
