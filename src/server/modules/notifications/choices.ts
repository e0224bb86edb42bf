import { allCodes } from '#shared/codes.ts'
import type { NotificationChoice, notifications } from '#shared/contract/notifications.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { NotificationKind, NotificationMail } from '#shared/notification-kinds.ts'
import type { Settings } from '#shared/settings.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { Db } from '#server/db/open.ts'
import { isMailEnabled } from '#server/gateways/mail.ts'

/** How a member who has not chosen gets each kind by mail: at once what they have to act on, the rest once a day. */
const defaultModes: Record<NotificationKind, NotificationMail> = {
  [NotificationKind.Reply]: NotificationMail.Daily,
  [NotificationKind.Comment]: NotificationMail.Daily,
  [NotificationKind.DocumentReview]: NotificationMail.AtOnce,
  [NotificationKind.ArticleReview]: NotificationMail.AtOnce,
  [NotificationKind.CommentReview]: NotificationMail.Daily,
  [NotificationKind.Sale]: NotificationMail.Daily,
  [NotificationKind.VipEnding]: NotificationMail.AtOnce,
  [NotificationKind.ReportDecision]: NotificationMail.AtOnce,
  [NotificationKind.ConversionFailure]: NotificationMail.Daily,
  [NotificationKind.Order]: NotificationMail.AtOnce,
  [NotificationKind.Punishment]: NotificationMail.AtOnce,
  [NotificationKind.NewByAuthor]: NotificationMail.Daily,
  [NotificationKind.NewInCategory]: NotificationMail.Daily,
  [NotificationKind.NewInCollection]: NotificationMail.Daily,
  [NotificationKind.CollectionReview]: NotificationMail.AtOnce,
  [NotificationKind.Outlay]: NotificationMail.AtOnce,
  [NotificationKind.Answer]: NotificationMail.AtOnce,
}

/** Kinds of which staff alone are told. */
const staffKinds: ReadonlySet<NotificationKind> = new Set([NotificationKind.Outlay, NotificationKind.Answer])

export type Modes = Record<NotificationKind, NotificationMail>

/** Of every kind. */
export async function findModes(db: Db, userId: number): Promise<Modes> {
  const rows = await db
    .selectFrom('notification_choice')
    .select(['kind', 'mail'])
    .where('user_id', '=', userId)
    .execute()
  return { ...defaultModes, ...Object.fromEntries(rows.map(({ kind, mail }) => [kind, mail])) }
}

/** Of one kind, for many members. */
export async function findModesOf(
  db: Db,
  userIds: readonly number[],
  kind: NotificationKind,
): Promise<(userId: number) => NotificationMail> {
  const rows = await db
    .selectFrom('notification_choice')
    .select(['user_id', 'mail'])
    .where('kind', '=', kind)
    .where(inList(db, 'user_id', userIds))
    .execute()
  const chosen = new Map(rows.map(({ user_id, mail }) => [user_id, mail]))
  return (userId) => chosen.get(userId) ?? defaultModes[kind]
}

export async function listChoices({ db, viewer, settings }: MemberCtx): Promise<Reply<typeof notifications.choices>> {
  const { email } = await db.selectFrom('user').select('email').where('id', '=', viewer.id).executeTakeFirstOrThrow()
  const modes = await findModes(db, viewer.id)
  const choice = allCodes(NotificationKind)
    // Others get none.
    .filter((kind) => viewer.isStaff || !staffKinds.has(kind))
    .map((kind) => ({ kind, mail: modes[kind] }))
  return { choice, email, can_mail: isMailed(settings) }
}

export function chooseModes(ctx: MemberCtx, { choice }: Input<typeof notifications.choose>): Promise<void> {
  return setModes(ctx, ctx.viewer.id, choice)
}

/** What waits to be mailed follows: a mode is looked up when a mail is made. */
export function setModes(ctx: Ctx, userId: number, choice: readonly NotificationChoice[]): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'user', [userId])
    for (const { kind, mail } of choice)
      await ctx.db
        .insertInto('notification_choice')
        .values({ user_id: userId, kind, mail })
        .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet({ mail }))
        .execute()
  })
}

/** Whether the site mails notifications at all. */
export function isMailed(settings: Settings): boolean {
  return isMailEnabled(settings) && settings.email.enable_notification
}
