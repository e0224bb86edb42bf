import type { comments } from '#shared/contract/comments.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { createComment } from './comments.create.ts'
import { deleteComments } from './comments.delete.ts'
import { listComments } from './comments.list.ts'
import { checkComments, getComment, updateComment } from './comments.review.ts'
import { getCommentForReview, listPendingComments } from './comments.review-queue.ts'
import { listThreads } from './comments.threads.ts'

export const commentRoutes: Handlers<typeof comments> = {
  create: createComment,
  update: emptyReply(updateComment),
  delete: emptyReply(deleteComments),
  get: getComment,
  list: listComments,
  threads: listThreads,
  review: emptyReply(checkComments),
  reviewQueue: listPendingComments,
  reviewItem: getCommentForReview,
}
