import type { ColumnType, Generated } from 'kysely'

/** Booleans are 0 or 1 in both databases. */
export type Bit = 0 | 1
export type Id = Generated<number>
/** A column with a default: optional when a row is inserted. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>

export interface Stamps {
  created_at: number
  updated_at: number
}

export function bit(value: boolean): Bit {
  return value ? 1 : 0
}
