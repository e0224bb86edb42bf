import type { ReviewStatus } from '#shared/enums.ts'
import type { Defaulted, Id, Stamps } from './column.ts'

export interface ArticleTables {
  article: ArticleTable
  article_category: { article_id: number; category_id: number }
  article_draft: ArticleDraftTable
  article_version: ArticleVersionTable
  article_like: { id: Id; user_id: number; article_id: number; created_at: number }
  article_relate: { article_id: number; related: string; updated_at: number }
}

interface ArticleTable extends Stamps {
  id: Id
  identifier: string
  user_id: number
  title: string
  keywords: Defaulted<string>
  /** Keywords that its text gave, and how many articles the text was compared with for them; 0 for not yet. */
  text_keywords: Defaulted<string>
  keywords_compared: Defaulted<number>
  description: Defaulted<string>
  /** What its author has chosen, or the first picture in it. */
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
  like_count: Defaulted<number>
  recommend_at: number | null
  deleted_at: number | null
  deleted_user_id: Defaulted<number>
}

/** What a member is writing. Only that member gets it back, so its HTML is as the editor has sent it. */
interface ArticleDraftTable extends Stamps {
  id: Id
  user_id: number
  /** The article that is edited; 0 for a new one. */
  article_id: number
  /** `updated_at` of the article when the draft was started; 0 for a new one. */
  based_on: number
  title: string
  keywords: string
  description: string
  /** Empty if none was chosen. */
  cover: string
  content: string
  /** The ids of its categories from the root down, with spaces between. */
  category_id: string
  identifier: string
}

/** An article as it was saved once; the latest is the article as it is. */
interface ArticleVersionTable {
  id: Id
  article_id: number
  /** Who saved it. */
  user_id: number
  title: string
  keywords: string
  description: string
  cover: string
  content: string
  created_at: number
}
