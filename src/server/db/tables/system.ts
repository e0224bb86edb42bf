import type { Defaulted, Id, Stamps } from './column.ts'

export interface SystemTables {
  migration: { name: string; at: number }
  seed: { name: string; at: number }
  secret: { name: string; value: string }
  setting: { category: string; name: string; value: string; updated_at: number }
  revision: { name: string; value: number }
  attempt: { key: string; count: number; until: number }
  job: JobTable
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
