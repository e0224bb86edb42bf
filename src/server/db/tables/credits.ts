import type { Defaulted, Id } from './column.ts'

export interface CreditTables {
  credit_entry: CreditEntryTable
  sign: SignTable
  daily_use: { kind: string; who: string; day: number; used: number }
}

/** One for each member and day. */
interface SignTable {
  id: Id
  user_id: number
  /** The day at the site, yyyymmdd. */
  sign_at: number
  award: number
  /** Days in a row, this one included. */
  streak: number
  ip: string
  created_at: number
}

/** Every change of a balance. The sum of a user's entries is their balance. */
interface CreditEntryTable {
  id: Id
  user_id: number
  amount: number
  /** After this entry. */
  balance: number
  reason: string
  /** The document, order … it is about. */
  ref_id: Defaulted<number>
  /** No two entries share one: what must happen once cannot happen twice. */
  key: Defaulted<string>
  created_at: number
}
