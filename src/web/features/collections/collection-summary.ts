import type { Collection, CollectionItem } from '#shared/contract/collections.ts'

/** What cards show of a collection. */
export type CollectionSummary = ReturnType<typeof toCollectionSummary>

export function toCollectionSummary(collection: Collection) {
  const { uuid, title, description, visibility, status, user_id, user, item_count, follower_count, cover } = collection
  const { username } = user
  return { uuid, title, description, visibility, status, user_id, username, item_count, follower_count, cover }
}

/** What the page of a collection shows of it: without the counts of its owner. */
export function toCollection(collection: Collection) {
  const { user, ...rest } = collection
  const { id, username, avatar, is_vip } = user
  return { ...rest, user: { id, username, avatar, is_vip } }
}

export type ShownCollection = ReturnType<typeof toCollection>
export type ShownItem = CollectionItem
