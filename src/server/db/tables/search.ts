import type { Defaulted, Id, Stamps } from './column.ts'

export interface SearchTables {
  search_record: SearchRecordTable
}

interface SearchRecordTable extends Stamps {
  id: Id
  user_id: number
  ip: string
  /** 0 documents, 1 articles. */
  type: number
  total: number
  page: number
  spend_ms: number
  user_agent: Defaulted<string>
  keywords: string
}
