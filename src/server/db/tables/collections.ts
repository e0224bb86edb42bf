import type { CollectionVisibility, FollowTarget } from '#shared/collections.ts'
import type { ContentType, ReviewStatus } from '#shared/enums.ts'
import type { Defaulted, Id, Stamps } from './column.ts'

export interface CollectionTables {
  collection: CollectionTable
  collection_item: CollectionItemTable
  follow: FollowTable
  /** Contents that have been visible to everyone: each is new once. */
  publication: { content_type: ContentType; content_id: number; published_at: number }
  follow_news: FollowNewsTable
}

interface CollectionTable extends Stamps {
  id: Id
  /** In its address; unguessable, so that an unlisted collection is found by its link alone. */
  uuid: string
  user_id: number
  title: string
  description: string
  visibility: CollectionVisibility
  status: ReviewStatus
  reject_reason: Defaulted<string>
  /** Also of items that not every viewer sees. */
  item_count: Defaulted<number>
  follower_count: Defaulted<number>
  ip: string
}

interface CollectionItemTable extends Stamps {
  id: Id
  collection_id: number
  content_type: ContentType
  content_id: number
  /** The highest comes first. */
  sort: number
  note: Defaulted<string>
}

interface FollowTable {
  id: Id
  user_id: number
  kind: FollowTarget
  target_id: number
  created_at: number
}

/** A document or article that followers of a target are notified of. */
interface FollowNewsTable {
  id: Id
  kind: FollowTarget
  target_id: number
  content_type: ContentType
  content_id: number
  /** The notification that tells of it, together with others; empty while it waits. */
  batch: Defaulted<string>
  created_at: number
}
