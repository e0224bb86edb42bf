import type { Defaulted, Id } from './column.ts'

export interface CreditTables {
  credit_entry: CreditEntryTable
  check_in: CheckInTable
  /** How much of a daily quota a member or a network has used. */
  quota_usage: { quota: string; subject: string; day: number; used: number }
}

/** One per member and day. */
interface CheckInTable {
  id: Id
  user_id: number
  /** In the site's time zone, yyyymmdd. */
  day: number
  award: number
  /** Days in a row, this one included. */
  streak: number
  ip: string
  created_at: number
}

/** A ledger: every change of a balance. The sum of a user's entries is the balance. */
interface CreditEntryTable {
  id: Id
  user_id: number
  amount: number
  /** After this entry. */
  balance: number
  reason: string
  /** The document, order … that it is about. */
  ref_id: Defaulted<number>
  /** An idempotency key: unique if not empty. */
  key: Defaulted<string>
  /** Why staff granted or took it. */
  note: Defaulted<string>
  created_at: number
}
