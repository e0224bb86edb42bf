import type { Defaulted, Id } from './column.ts'

export interface CreditTables {
  credit_entry: CreditEntryTable
  daily_use: { kind: string; who: string; day: number; used: number }
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
