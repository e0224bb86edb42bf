import type { Selectable } from 'kysely'
import * as z from 'zod/mini'
import { type ContentType, Punishment } from '#shared/enums.ts'
import { NotificationKind, NotificationMail } from '#shared/notification-kinds.ts'
import type { Settings } from '#shared/settings.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { enqueue } from '#server/jobs.ts'
import { findModes } from './choices.ts'

/** Facts about an event that no other row has. */
const NotificationParams = z.object({
  /** Of a review, or of what was done to an order. */
  outcome: z.optional(z.string()),
  /** The words of staff. */
  reason: z.optional(z.string()),
  /** The member's own comment. */
  comment: z.optional(z.int()),
  report: z.optional(z.int()),
  order: z.optional(z.int()),
  /** In fen. */
  money: z.optional(z.int()),
  credits: z.optional(z.int()),
  /** How it went back, what of the things granted was withdrawn, and what became of the download code. */
  way: z.optional(z.string()),
  taken: z.optional(z.string()),
  taken_credits: z.optional(z.int()),
  code: z.optional(z.string()),
  punishment: z.optional(z.int()),
  /** The first and the last batch of news of what a member follows, and the author, category or collection. */
  batch: z.optional(z.string()),
  until: z.optional(z.string()),
  target: z.optional(z.int()),
  collection: z.optional(z.int()),
  /** The member has answered; of an answer, what it is about. */
  is_answered: z.optional(z.boolean()),
  about: z.optional(z.string()),
  end: z.optional(z.nullable(z.int())),
})
export type NotificationParams = z.output<typeof NotificationParams>

export function toParams({ params }: { params: string }): NotificationParams {
  return NotificationParams.safeParse(JSON.parse(params || '{}')).data ?? {}
}

interface NewNotification {
  userId: number
  kind: NotificationKind
  /** The same when the event is delivered again. */
  eventKey: string
  /** Unread ones with the same key are shown as one. */
  groupKey?: string
  actorId?: number
  content?: { type: ContentType; id: number }
  commentId?: number
  credits?: number
  params?: NotificationParams
}

/** Events that come in bursts, and decisions that a reviewer may take back, are mailed a little later. */
const settleMs = 60_000
const settling: ReadonlySet<NotificationKind> = new Set([
  NotificationKind.Reply,
  NotificationKind.Comment,
  NotificationKind.Sale,
  NotificationKind.DocumentReview,
  NotificationKind.ArticleReview,
  NotificationKind.CommentReview,
  NotificationKind.CollectionReview,
  NotificationKind.NewByAuthor,
  NotificationKind.NewInCategory,
  NotificationKind.NewInCollection,
])

/** Once for each event and member. Nothing for what members did themselves, nor for accounts that are disabled or gone. */
export async function addNotification(ctx: Ctx, notification: NewNotification): Promise<void> {
  const { userId, kind, groupKey = '', actorId = 0, content, commentId = 0, credits = 0, params = {} } = notification
  if (userId === 0 || userId === actorId) return
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    const now = ctx.now()
    // Two events of one group, or an event and the member who reads, wait for each other.
    await lockRows(ctx, 'user', [userId])
    if (!(await isActive(db, userId, now))) return
    const head = groupKey ? await findUnreadHead(db, userId, groupKey) : undefined
    const mailAt = await findMailTime(ctx, { userId, kind, now })
    const added = await db
      .insertInto('notification')
      .values({
        user_id: userId,
        kind,
        event_key: `${notification.eventKey}:${userId}`,
        group_key: groupKey,
        group_id: head?.id ?? null,
        actor_id: actorId,
        content_type: content?.type ?? null,
        content_id: content?.id ?? 0,
        comment_id: commentId,
        credits,
        params: JSON.stringify(params),
        latest_at: now,
        mail_at: mailAt,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('event_key').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) return
    if (head) await db.updateTable('notification').set({ latest_at: now }).where('id', '=', head.id).execute()
    if (mailAt !== null && mailAt <= now) await enqueue(ctx, 'notifications.mail', {})
    ctx.emit('notifications.changed', { userId })
  })
}

export type NotificationRow = Selectable<Tables['notification']>

interface WithdrawnNotification {
  userId: number
  kind: NotificationKind
  isMeant: (row: NotificationRow) => boolean
  /** Notifications of this event stay: it is delivered again. */
  eventKey?: string
  /** Notices that were read go as well: they were not true. */
  evenRead?: boolean
  contentId?: number
}

/** A decision that is taken back at once was no news: what has not been read is gone, and not mailed. */
export function withdrawNotification(ctx: Ctx, withdrawn: WithdrawnNotification): Promise<void> {
  const since = ctx.now() - settleMs
  return removeSuperseded(ctx, { ...withdrawn, isMeant: (row) => row.created_at >= since && withdrawn.isMeant(row) })
}

/** The latest decision about one thing counts: what has not been read of the others is gone, and not mailed. */
export async function removeSuperseded(
  ctx: Ctx,
  { userId, kind, isMeant, eventKey, evenRead, contentId }: WithdrawnNotification,
): Promise<void> {
  if (userId === 0) return
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    await lockRows(ctx, 'user', [userId])
    const former = await db
      .selectFrom('notification')
      .selectAll()
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .$if(!evenRead, (query) => query.where('read_at', 'is', null))
      .$if(contentId !== undefined, (query) => query.where('content_id', '=', contentId ?? 0))
      .where('deleted_at', 'is', null)
      .execute()
    const meant = former.filter((row) => row.event_key !== `${eventKey}:${userId}` && isMeant(row))
    if (meant.length === 0) return
    const ids = meant.map(({ id }) => id)
    await db
      .updateTable('notification')
      .set({ deleted_at: ctx.now(), mail_at: null })
      .where(inList(db, 'id', ids))
      .execute()
    for (const { id, group_id } of meant) if (group_id === null) await passOn(ctx, id)
    ctx.emit('notifications.changed', { userId })
  })
}

/** The others of a group whose first is gone go on without it. */
async function passOn({ db }: Ctx, headId: number): Promise<void> {
  const [next, ...others] = await db
    .selectFrom('notification')
    .select('id')
    .where('group_id', '=', headId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  if (!next) return
  await db.updateTable('notification').set({ group_id: null }).where('id', '=', next.id).execute()
  const ids = others.map(({ id }) => id)
  await db
    .updateTable('notification')
    .set({ group_id: next.id })
    .where(inList(db, 'id', ids))
    .execute()
}

async function isActive(db: Db, userId: number, now: number): Promise<boolean> {
  return (await findActive(db, [userId], now)).length > 0
}

/** Those of these accounts that are neither disabled nor gone. */
export async function findActive(db: Db, userIds: readonly number[], now: number): Promise<number[]> {
  const users = await db
    .selectFrom('user')
    .select('id')
    .where(inList(db, 'id', userIds))
    .where(({ or, not, exists, selectFrom, eb }) =>
      or([
        // The owner of the site cannot be disabled.
        eb('is_root', '=', 1),
        not(
          exists(
            selectFrom('punishment')
              .select('punishment.id')
              .whereRef('punishment.user_id', '=', 'user.id')
              .where('type', '=', Punishment.Disabled)
              .where('enable', '=', 1)
              .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', now)])),
          ),
        ),
      ]),
    )
    .execute()
  return users.map(({ id }) => id)
}

function findUnreadHead(db: Db, userId: number, groupKey: string): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('notification')
    .select('id')
    .where('user_id', '=', userId)
    .where('group_key', '=', groupKey)
    .where('group_id', 'is', null)
    .where('read_at', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function findMailTime(
  { db, settings }: Ctx,
  { userId, kind, now }: { userId: number; kind: NotificationKind; now: number },
): Promise<number | null> {
  return mailTimeOf(settings, { mode: (await findModes(db, userId))[kind], kind, now })
}

/** Null for never. */
export function mailTimeOf(
  settings: Settings,
  { mode, kind, now }: { mode: NotificationMail; kind: NotificationKind; now: number },
): number | null {
  if (mode === NotificationMail.Off) return null
  if (mode === NotificationMail.Daily) return nextDigest(now, settings.email.digest_hour)
  return now + (settling.has(kind) ? settleMs : 0)
}

/** The next time that it is this hour, in the site's time zone. */
export function nextDigest(now: number, hour: number): number {
  const date = new Date(now)
  date.setHours(hour, 0, 0, 0)
  if (date.getTime() <= now) date.setDate(date.getDate() + 1)
  return date.getTime()
}
