import type { Defaulted, Id, Stamps } from './column.ts'

export interface SearchTables {
  search_record: SearchRecordTable
}

interface SearchRecordTable extends Stamps {
  id: Id
  user_id: number
  ip: string
  /** One subscriber's, whatever addresses they have; empty when nobody in particular asked. */
  network: Defaulted<string>
  /** 0 documents, 1 articles. */
  type: number
  total: number
  page: number
  spend_ms: number
  user_agent: Defaulted<string>
  keywords: string
}
