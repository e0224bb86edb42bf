import type { Notification } from '#shared/contract/notifications.ts'
import { Punishment, reportOutcomeLabels } from '#shared/enums.ts'
import { NotificationKind, NotificationMail } from '#shared/notification-kinds.ts'
import type { MailTemplate, TemplateParams } from '#shared/mail-templates.ts'
import { formatTime } from '#shared/format.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { bit } from '#server/db/tables/column.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { loadViewer } from '#server/modules/access/access.viewer.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import { findModes, isMailed } from './choices.ts'
import { type NotificationRow, toParams } from './notifications.add.ts'
import { presentNotifications } from './notifications.present.ts'
import { createUnsubscribeLink } from './unsubscribe.ts'

const batch = 200
/** Long enough for a mail server that is away for the weekend. */
const mailMs = 7 * 24 * 60 * 60_000
/** More are only counted. */
const maxListed = 50

/** Mails what is due: at once, and the daily digests. Members one after the other, each in a transaction of their own. */
export async function mailDueNotifications(ctx: Ctx): Promise<void> {
  let last = 0
  for (;;) {
    const members = await ctx.db
      .selectFrom('notification')
      .select('user_id')
      .distinct()
      .where('mail_at', 'is not', null)
      .where('mail_at', '<=', ctx.now())
      .where('user_id', '>', last)
      .orderBy('user_id')
      .limit(batch)
      .execute()
    for (const { user_id } of members) await mailMember(ctx, user_id)
    last = members.at(-1)?.user_id ?? 0
    if (members.length < batch) return
  }
}

interface Recipient {
  id: number
  username: string
  email: string
}

/** What is taken and the mails are one transaction: however often the worker is killed, each is mailed once. */
async function mailMember(outer: Ctx, userId: number): Promise<void> {
  await transaction(outer, async (ctx) => {
    await lockRows(ctx, 'user', [userId])
    const taken = await ctx.db
      .updateTable('notification')
      .set({ mail_at: null })
      .where('user_id', '=', userId)
      .where('mail_at', '<=', ctx.now())
      .returning(['id', 'group_id'])
      .execute()
    const user = await findRecipient(ctx, userId)
    if (!user || !isMailed(ctx.settings)) return
    const now = ctx.now()
    const viewer = await loadViewer({ db: ctx.db, now: () => now }, { ...user, sessionId: 0 })
    if (viewer.punished(Punishment.Disabled)) return
    const heads = await findUnread(
      ctx,
      taken.map(({ id, group_id }) => group_id ?? id),
    )
    await mailHeads({ ...ctx, viewer }, user, heads)
  })
}

async function mailHeads(ctx: Ctx, user: Recipient, heads: readonly NotificationRow[]): Promise<void> {
  const modes = await findModes(ctx.db, user.id)
  const presented = new Map((await presentNotifications(ctx, heads)).map((item) => [item.id, item]))
  const send = async <T extends MailTemplate>(
    template: T,
    params: TemplateParams[T],
    { kinds, expiresAt = ctx.now() + mailMs }: { kinds: readonly NotificationKind[]; expiresAt?: number },
  ) => {
    const unsubscribe = await createUnsubscribeLink(ctx, { userId: user.id, kinds })
    await enqueueMail(ctx, { to: user.email, template, params, expiresAt, unsubscribe })
  }
  const inMode = (mode: NotificationMail) => heads.filter(({ kind }) => modes[kind] === mode)
  const itemsOf = (rows: readonly NotificationRow[]) =>
    rows.flatMap(({ id }) => presented.get(id) ?? []).filter((item) => !item.is_gone)
  const { username } = user

  const own: NotificationRow[] = []
  for (const row of inMode(NotificationMail.AtOnce)) {
    if (row.kind === NotificationKind.VipEnding) {
      const end = toParams(row).end ?? 0
      if (end <= ctx.now()) continue
      const params = { username, end: formatTime(end), link: toLink(ctx, '/joinvip') }
      await send('vip-reminder', params, { kinds: [row.kind], expiresAt: end })
      continue
    }
    const answered = row.kind === NotificationKind.ReportDecision ? await findAnswer(ctx, row) : undefined
    if (answered) {
      const params = { username, ...answered, link: toLink(ctx, '/me/report') }
      await send('report-answer', params, { kinds: [row.kind] })
      continue
    }
    own.push(row)
  }
  const atOnce = itemsOf(own)
  if (atOnce[0]) {
    const params = { username, first: atOnce[0].title, list: toList(atOnce), link: toLink(ctx, pagePath) }
    await send('notification', params, { kinds: kindsOf(atOnce) })
  }
  const daily = itemsOf(inMode(NotificationMail.Daily))
  if (daily.length > 0) {
    const params = { username, count: daily.length, list: toList(daily), link: toLink(ctx, pagePath) }
    // A recipient who ends the digest means all of it.
    const kinds = (Object.values(NotificationKind) as NotificationKind[]).filter(
      (kind) => modes[kind] === NotificationMail.Daily,
    )
    await send('notification-digest', params, { kinds })
  }
}

const pagePath = '/me/notification'

function findRecipient({ db }: Ctx, userId: number): Promise<(Recipient & { is_root: number }) | undefined> {
  return db
    .selectFrom('user')
    .select(['id', 'username', 'email', 'is_root'])
    .where('id', '=', userId)
    .where('email', '<>', '')
    .executeTakeFirst()
}

function findUnread({ db }: Ctx, headIds: readonly number[]): Promise<NotificationRow[]> {
  return db
    .selectFrom('notification')
    .selectAll()
    .where(inList(db, 'id', [...new Set(headIds)]))
    .where('read_at', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Undefined if staff have decided without a word, or the report was opened again. */
async function findAnswer({ db }: Ctx, row: NotificationRow) {
  const report = await db
    .selectFrom('report')
    .select(['document_title as title', 'outcome', 'answer'])
    .where('id', '=', toParams(row).report ?? 0)
    .where('status', '=', bit(true))
    .executeTakeFirst()
  return report?.answer ? { ...report, outcome: reportOutcomeLabels[report.outcome] } : undefined
}

function toList(items: readonly Notification[]): string {
  const lines = items.slice(0, maxListed).map(({ title, excerpt }) => (excerpt ? `${title}——${excerpt}` : title))
  return [...lines, ...(items.length > maxListed ? [`还有 ${items.length - maxListed} 条`] : [])].join('\n')
}

function kindsOf(items: readonly Notification[]): NotificationKind[] {
  return [...new Set(items.map(({ kind }) => kind))]
}

/** Empty where the site has no domain. */
function toLink({ settings }: Ctx, path: string): string {
  const { domain } = settings.system
  return domain && new URL(path, domain).href
}
