import type { Ctx } from '#server/context.ts'
import { among } from '#server/db/among.ts'
import type { Db } from '#server/db/open.ts'
import { takeDaily } from '../access/access.daily.ts'
import { addCredit } from '../credits/credits.ledger.ts'
import { recordDynamic } from '../users/users.dynamics.ts'
import type { Standing } from './comments.counts.ts'
import type { Target, TargetName } from './comments.targets.ts'

interface Appeared {
  comments: readonly Standing[]
  targetOf: (name: TargetName) => Target | undefined
  /** Made at this moment: nobody can have been told of it. */
  isNew: boolean
}

/**
 * Comments are shown from now on: the author of the document is rewarded, and they and whoever was answered find it in
 * their list. Once for each comment, however often it is hidden and shown again.
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
    const notice = { commentId: comment.id, documentId: comment.document_id, subject: target.title }
    const href = commentHref(target, comment.id)
    const owner = { ...notice, href, type: 18 as const, userId: comment.type === 0 ? target.user_id : 0 }
    const author = { ...notice, href, type: 21 as const, userId: answered.get(comment.parent_id) ?? 0 }
    return [owner, author].filter(({ userId }) => userId > 0 && userId !== comment.user_id)
  })
  const told = isNew ? new Set<string>() : await toldBefore(ctx.db, notices)
  for (const notice of notices) {
    if (told.has(nameOf(notice))) continue
    const amount = notice.type === 18 ? await rewardComment(ctx, notice) : 0
    const { userId, type, subject, href } = notice
    await recordDynamic(ctx, { userId, type, subject, href, amount })
  }
}

/** Where a comment stands on the page of what it belongs to. */
export function commentHref({ href }: Target, id: number): string {
  return `${href}#comment-${id}`
}

/** So many comments a day bring their author something; what it brought. */
async function rewardComment(
  ctx: Ctx,
  { userId, commentId, documentId }: { userId: number; commentId: number; documentId: number },
): Promise<number> {
  const { document_commented: amount, document_commented_limit: limit } = ctx.settings.score
  if (amount === 0 || !(await takeDaily(ctx, { kind: 'reward.commented', who: userId, limit }))) return 0
  const key = `commented:${commentId}`
  return (await addCredit(ctx, { userId, amount, reason: 'commented', refId: documentId, key })) ? amount : 0
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
