import type { Ctx } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import { rewardComment } from '#server/modules/credits/credits.rewards.ts'
import { recordDynamic } from '#server/modules/users/activity.ts'
import type { Standing } from './comments.counts.ts'
import type { Target, TargetName } from './comments.targets.ts'

interface Appeared {
  comments: readonly Standing[]
  targetOf: (name: TargetName) => Target | undefined
  /** Made at this moment: nobody can have been told of it. */
  isNew: boolean
}

/**
 * Comments are shown from now on: the author of the document or article and whoever was answered find it in their list,
 * and a document's author is rewarded. Once for each comment, however often it is hidden and shown again.
 */
export async function announceComments(ctx: Ctx, { comments, targetOf, isNew }: Appeared): Promise<void> {
  if (comments.length === 0) return
  const answered = await authorsOfComments(
    ctx.db,
    comments.map(({ parent_id }) => parent_id),
  )
  const notices = comments.flatMap((comment) => {
    const target = targetOf(comment)
    if (!target) return []
    const notice = { comment, subject: target.title, href: commentHref(target, comment.id) }
    const owner = { ...notice, type: 18 as const, userId: target.user_id }
    const author = { ...notice, type: 21 as const, userId: answered.get(comment.parent_id) ?? 0 }
    return [owner, author].filter(({ userId }) => userId > 0 && userId !== comment.user_id)
  })
  const told = isNew ? new Set<string>() : await toldBefore(ctx.db, notices)
  for (const notice of notices) {
    if (told.has(nameOf(notice))) continue
    const { userId, type, subject, href, comment } = notice
    const paid = { authorId: userId, documentId: comment.document_id, commentId: comment.id }
    const amount = type === 18 && comment.type === 0 ? await rewardComment(ctx, paid) : 0
    // Rewarded long ago: it was told then, and is no longer in the list.
    if (amount === undefined) continue
    await recordDynamic(ctx, { userId, type, subject, href, amount })
  }
}

/** Where a comment stands on the page of what it belongs to. */
export function commentHref({ href }: Target, id: number): string {
  return `${href}#comment-${id}`
}

interface Notice {
  userId: number
  type: 18 | 21
  href: string
}

async function toldBefore(db: Db, notices: readonly Notice[]): Promise<Set<string>> {
  if (notices.length === 0) return new Set()
  const rows = await db
    .selectFrom('dynamic')
    .select(['user_id as userId', 'type', 'href'])
    .where(
      among(
        db,
        'user_id',
        notices.map(({ userId }) => userId),
      ),
    )
    .where('type', 'in', [18, 21])
    .where('href', 'in', [...new Set(notices.map(({ href }) => href))])
    .execute()
  return new Set(rows.map(nameOf))
}

function nameOf({ userId, type, href }: { userId: number; type: number; href: string }): string {
  return `${userId} ${type} ${href}`
}

/** Those whose accounts are still there. */
async function authorsOfComments(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const wanted = ids.filter((id) => id > 0)
  if (wanted.length === 0) return new Map()
  const rows = await db
    .selectFrom('comment')
    .innerJoin('user', 'user.id', 'comment.user_id')
    .select(['comment.id', 'comment.user_id'])
    .where(among(db, 'comment.id', wanted))
    .execute()
  return new Map(rows.map(({ id, user_id }) => [id, user_id]))
}
