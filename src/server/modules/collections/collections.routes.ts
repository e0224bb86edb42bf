import type { collections } from '#shared/contract/collections.ts'
import { errors } from '#shared/errors.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { addItems, listItems, removeItems, reorderItems, updateItem } from './collections.items.ts'
import { listAll, listHolding, listOwn, listPublic } from './collections.list.ts'
import { presentCollections } from './collections.present.ts'
import { getReadable } from './collections.queries.ts'
import { reviewCollections } from './collections.review.ts'
import { createCollection, deleteCollections, updateCollection } from './collections.service.ts'

export const collectionRoutes: Handlers<typeof collections> = {
  create: createCollection,
  update: updateCollection,
  delete: emptyReply(deleteCollections),
  async get(ctx, { uuid }) {
    const [collection] = await presentCollections(ctx, [await getReadable(ctx, uuid)])
    if (!collection) throw errors.collections.notFound()
    return collection
  },
  list: listPublic,
  own: listOwn,
  holding: listHolding,
  items: listItems,
  addItems,
  updateItem: emptyReply(updateItem),
  removeItems: emptyReply(removeItems),
  reorderItems: emptyReply(reorderItems),
  manage: listAll,
  review: emptyReply(reviewCollections),
}
