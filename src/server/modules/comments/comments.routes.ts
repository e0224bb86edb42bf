import type { comments } from '#shared/contract/social.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { createComment } from './comments.create.ts'
import { deleteComments } from './comments.delete.ts'
import { listComments } from './comments.list.ts'
import { checkComments, getComment, updateComment } from './comments.review.ts'
import { listThreads } from './comments.threads.ts'

export const commentRoutes: Handlers<typeof comments> = {
  create: createComment,
  async update(ctx, input) {
    await updateComment(ctx, input)
    return {}
  },
  async delete(ctx, input) {
    await deleteComments(ctx, input)
    return {}
  },
  get: getComment,
  list: listComments,
  threads: listThreads,
  async check(ctx, input) {
    await checkComments(ctx, input)
    return {}
  },
}
