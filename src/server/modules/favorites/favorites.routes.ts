import type { favorites } from '#shared/contract/social.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { listFavorites } from './favorites.list.ts'
import { addFavorite, removeFavorites } from './favorites.service.ts'

/** What says that it is not among the favourites: nothing of it is written. */
const none = { id: 0, user_id: 0, document_id: 0, type: 0, created_at: null, updated_at: null }

export const favoriteRoutes: Handlers<typeof favorites> = {
  create: addFavorite,
  async delete(ctx, input) {
    await removeFavorites(ctx, input)
    return {}
  },
  async get({ db, viewer }, { document_id, type }) {
    const row = await db
      .selectFrom('favorite')
      .selectAll()
      .where('user_id', '=', viewer.id)
      .where('document_id', '=', document_id)
      .where('type', '=', type)
      .executeTakeFirst()
    return row ?? none
  },
  list: listFavorites,
}
