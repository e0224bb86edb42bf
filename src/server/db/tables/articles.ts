import type { ReviewStatus } from '#shared/enums.ts'
import type { Defaulted, Id, Stamps } from './column.ts'

export interface ArticleTables {
  article: ArticleTable
  article_category: { article_id: number; category_id: number }
  article_relate: { article_id: number; related: string; updated_at: number }
}

interface ArticleTable extends Stamps {
  id: Id
  identifier: string
  user_id: number
  title: string
  keywords: Defaulted<string>
  description: Defaulted<string>
  /** The first picture in it. */
  cover: Defaulted<string>
  /** Sanitized HTML. */
  content: string
  /** Where it was taken from; empty if it was written here. */
  source_name: Defaulted<string>
  source_url: Defaulted<string>
  status: ReviewStatus
  reject_reason: Defaulted<string>
  view_count: Defaulted<number>
  favorite_count: Defaulted<number>
  comment_count: Defaulted<number>
  recommend_at: number | null
  deleted_at: number | null
  deleted_user_id: Defaulted<number>
}
