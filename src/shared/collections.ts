import { type CodeOf, declareCodes } from './codes.ts'

// Not among the other enumerations, which are in the scripts of every page.

/** Who may read a collection. What a reader sees of its items follows the items' own visibility. */
export const [CollectionVisibility, collectionVisibilityLabels] = declareCodes({
  Public: [0, '公开'],
  /** For visitors who have its address; it is in no list. */
  Unlisted: [1, '凭链接'],
  Private: [2, '仅自己'],
})
export type CollectionVisibility = CodeOf<typeof CollectionVisibility>

/** What members follow. */
export const [FollowTarget, followTargetLabels] = declareCodes({
  Author: [1, '作者'],
  Category: [2, '分类'],
  Collection: [3, '文集'],
})
export type FollowTarget = CodeOf<typeof FollowTarget>

export const maxCollections = 200
export const maxCollectionItems = 500
export const maxFollows = 2000
