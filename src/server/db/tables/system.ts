import type { Defaulted, Id, Stamps } from './column.ts'

export interface SystemTables {
  migration: { name: string; at: number }
  seed: { name: string; at: number }
  secret: { name: string; value: string }
  setting: { category: string; name: string; value: string; updated_at: number }
  revision: { name: string; value: number }
  attempt: { key: string; count: number; until: number }
  job: JobTable
  letter: LetterTable
  /** What happened on a day, by the site's clock: `day` is 20261115. */
  tally: { day: number; name: string; count: number }
  /** Who has been there on a day, by a mark that leads back to nobody; forgotten after it. */
  visitor: { day: number; mark: string }
}

interface JobTable extends Stamps {
  id: Id
  kind: string
  payload: string
  /** At most one waiting job of a key; empty means that there may be many. */
  key: Defaulted<string>
  state: 'waiting' | 'running' | 'failed'
  attempts: Defaulted<number>
  /** Higher goes first. */
  priority: Defaulted<number>
  run_at: number
  lease_until: Defaulted<number>
  worker: Defaulted<string>
  error: Defaulted<string>
}

interface LetterTable extends Stamps {
  id: Id
  recipient: string
  /** Which of the site's letters it is. */
  name: string
  /** What goes into it, codes and links, as JSON; empty once that is needed no more. */
  told: string
  /** Stands in the letter itself: the same however often it is sent. */
  number: string
  /** What it brings is worth nothing after this. */
  until: number
  state: 'waiting' | 'sent' | 'failed'
  attempts: Defaulted<number>
  /** Why the last attempt failed. */
  error: Defaulted<string>
}
