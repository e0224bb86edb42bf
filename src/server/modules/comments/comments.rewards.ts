import { ActivityType, ContentType } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import { rewardComment } from '#server/modules/credits/credits.rewards.ts'
import { recordActivity } from '#server/modules/users/activity.ts'
import type { CountedComment } from './comments.counts.ts'
import type { Target, TargetRef } from './comments.targets.ts'

interface VisibleComments {
  comments: readonly CountedComment[]
  targetOf: (name: TargetRef) => Target | undefined
  /** Created in this transaction: nothing has been recorded for it. */
  isNew: boolean
}

/**
 * For comments that have become visible: the author of the document or article and the author of the parent comment see it
 * in their activities, and a document's author is rewarded. Once for each comment, however often it is hidden and shown.
 */
export async function notifyAuthors(ctx: Ctx, { comments, targetOf, isNew }: VisibleComments): Promise<void> {
  if (comments.length === 0) return
  const parentAuthors = await findAuthors(
    ctx.db,
    comments.map(({ parent_id }) => parent_id),
  )
  const notices = comments.flatMap((comment) => {
    const target = targetOf(comment)
    if (!target) return []
    const notice = { comment, subject: target.title, href: commentHref(target, comment.id) }
    const owner = { ...notice, type: ActivityType.Commented, userId: target.user_id }
    const author = { ...notice, type: ActivityType.Replied, userId: parentAuthors.get(comment.parent_id) ?? 0 }
    return [owner, author].filter(({ userId }) => userId > 0 && userId !== comment.user_id)
  })
  const notified = isNew ? new Set<string>() : await findNotified(ctx.db, notices)
  for (const notice of notices) {
    if (notified.has(noticeKey(notice))) continue
    const { userId, type, subject, href, comment } = notice
    const reward = { authorId: userId, documentId: comment.document_id, commentId: comment.id }
    const amount =
      type === ActivityType.Commented && comment.type === ContentType.Document ? await rewardComment(ctx, reward) : 0
    // Rewarded earlier, and the activity has been purged since.
    if (amount === undefined) continue
    await recordActivity(ctx, { userId, type, subject, href, amount })
  }
}

/** The comment's anchor on the page of its document or article. */
export function commentHref({ href }: Target, id: number): string {
  return `${href}#comment-${id}`
}

interface Notice {
  userId: number
  type: typeof ActivityType.Commented | typeof ActivityType.Replied
  href: string
}

async function findNotified(db: Db, notices: readonly Notice[]): Promise<Set<string>> {
  if (notices.length === 0) return new Set()
  const rows = await db
    .selectFrom('activity')
    .select(['user_id as userId', 'type', 'href'])
    .where(
      inList(
        db,
        'user_id',
        notices.map(({ userId }) => userId),
      ),
    )
    .where('type', 'in', [ActivityType.Commented, ActivityType.Replied])
    .where('href', 'in', [...new Set(notices.map(({ href }) => href))])
    .execute()
  return new Set(rows.map(noticeKey))
}

function noticeKey({ userId, type, href }: { userId: number; type: ActivityType; href: string }): string {
  return `${userId} ${type} ${href}`
}

/** The authors of comments by comment id; without deleted accounts. */
async function findAuthors(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const parentIds = ids.filter((id) => id > 0)
  if (parentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('comment')
    .innerJoin('user', 'user.id', 'comment.user_id')
    .select(['comment.id', 'comment.user_id'])
    .where(inList(db, 'comment.id', parentIds))
    .execute()
  return new Map(rows.map(({ id, user_id }) => [id, user_id]))
}
