import type { articleLikes } from '#shared/contract/article-likes.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { addLike, getLike, removeLike } from './likes.ts'

export const articleLikeRoutes: Handlers<typeof articleLikes> = {
  get: getLike,
  create: addLike,
  delete: removeLike,
}
