import type { Bit, Defaulted, Id, Stamps } from './column.ts'

export interface SocialTables {
  comment: CommentTable
  favorite: FavoriteTable
  report: ReportTable
}

/** In all of these, `document_id` is an article's id where `type` is 1. */
interface CommentTable extends Stamps {
  id: Id
  type: number
  document_id: number
  user_id: number
  parent_id: number
  /** The comment at the top of its thread; its own id when it is that one. */
  root_id: number
  /** 0 waits for review, 1 shown, 2 rejected. */
  status: number
  /** Answers to it that are shown. */
  comment_count: Defaulted<number>
  ip: string
  content: string
  /** Its text is gone; it stays while others have answered it. */
  is_deleted: Defaulted<Bit>
}

interface FavoriteTable extends Stamps {
  id: Id
  user_id: number
  document_id: number
  type: number
  ip: string
}

/** Title and name are kept as they were. */
interface ReportTable extends Stamps {
  id: Id
  document_id: number
  document_title: string
  user_id: number
  username: string
  reason: number
  status: Bit
  remark: Defaulted<string>
}
