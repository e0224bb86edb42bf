import type { ContentType, ReportOutcome, ReportReason, ReviewStatus } from '#shared/enums.ts'
import type { Bit, Defaulted, Id, Stamps } from './column.ts'

export interface SocialTables {
  comment: CommentTable
  favorite: FavoriteTable
  report: ReportTable
}

/** In comments and favorites, `document_id` is the id of an article where `type` is `ContentType.Article`. */
interface CommentTable extends Stamps {
  id: Id
  type: ContentType
  document_id: number
  user_id: number
  parent_id: number
  /** The first comment of its thread, or its own id. */
  root_id: number
  status: ReviewStatus
  reject_reason: Defaulted<string>
  /** Visible replies. */
  comment_count: Defaulted<number>
  ip: string
  content: string
  /** Its text is erased; the row stays while it has replies. */
  is_deleted: Defaulted<Bit>
}

interface FavoriteTable extends Stamps {
  id: Id
  user_id: number
  document_id: number
  type: ContentType
  ip: string
}

/** Title and name as they were at the time of the report. */
interface ReportTable extends Stamps {
  id: Id
  document_id: number
  document_title: string
  user_id: number
  username: string
  reason: ReportReason
  status: Bit
  remark: Defaulted<string>
  /** What the reporter wrote, and how they can be reached about a copyright. */
  content: Defaulted<string>
  contact: Defaulted<string>
  /** For the reporter. */
  answer: Defaulted<string>
  outcome: Defaulted<ReportOutcome>
  handled_user_id: Defaulted<number>
}
