import type { ContentType } from '#shared/enums.ts'
import type { Defaulted, Id, Stamps } from './column.ts'

export interface SearchTables {
  search_record: SearchRecordTable
}

interface SearchRecordTable extends Stamps {
  id: Id
  user_id: number
  ip: string
  /** The visitor's network; empty for searches by the server's own rendering. */
  network: Defaulted<string>
  type: ContentType
  total: number
  page: number
  spend_ms: number
  user_agent: Defaulted<string>
  keywords: string
}
