import { ContentType } from '#shared/enums.ts'
import type { favorites } from '#shared/contract/favorites.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { listFavorites } from './favorites.list.ts'
import { addFavorite, removeFavorites } from './favorites.service.ts'

/** The reply for a target that is not a favorite: the wire leaves out default values. */
const noFavorite = { id: 0, user_id: 0, document_id: 0, type: ContentType.Document, created_at: null, updated_at: null }

export const favoriteRoutes: Handlers<typeof favorites> = {
  create: addFavorite,
  delete: emptyReply(removeFavorites),
  async get({ db, viewer }, { document_id, type }) {
    const row = await db
      .selectFrom('favorite')
      .selectAll()
      .where('user_id', '=', viewer.id)
      .where('document_id', '=', document_id)
      .where('type', '=', type)
      .executeTakeFirst()
    return row ?? noFavorite
  },
  list: listFavorites,
}
