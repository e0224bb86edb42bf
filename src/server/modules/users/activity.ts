import type { Activity, activities } from '#shared/contract/activities.ts'
import { type ActivityType, activityLabels } from '#shared/enums.ts'
import { creditName } from '#shared/credit-name.ts'
import type { Ctx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import type { Db } from '#server/db/open.ts'
import { escapeHtml } from '#shared/escape-html.ts'
import type { Handlers } from '#server/http/api/mount.ts'

interface NewActivity {
  userId: number
  type: ActivityType
  /** The title of its subject, and its address. */
  subject?: string
  href?: string
  /** Credits earned or spent. */
  amount?: number
}

/** Call it in the transaction of the activity. */
export async function recordActivity(
  ctx: Ctx,
  { userId, type, subject = '', href = '', amount = 0 }: NewActivity,
): Promise<void> {
  if (userId === 0) return
  const row = { user_id: userId, type, subject, href, amount, created_at: ctx.now() }
  await ctx.db.insertInto('activity').values(row).execute()
}

interface WithdrawnActivity {
  userId: number
  types: readonly ActivityType[]
  href: string
  /** An older one has been read, and stays. */
  since: number
}

/** Takes back the latest activity of these types. Call it in the transaction that undoes what it was about. */
export async function withdrawActivity({ db }: Ctx, { userId, types, href, since }: WithdrawnActivity): Promise<void> {
  const latest = await db
    .selectFrom('activity')
    .select(['id', 'created_at'])
    .where('user_id', '=', userId)
    .where('type', 'in', types)
    .where('href', '=', href)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (latest && latest.created_at >= since) await db.deleteFrom('activity').where('id', '=', latest.id).execute()
}

const maxPerMember = 1000
const memberBatch = 1000

export async function pruneActivities({ db }: Ctx): Promise<void> {
  const last = await db.selectFrom('activity').select('user_id').orderBy('user_id', 'desc').limit(1).executeTakeFirst()
  for (let from = 1; from <= (last?.user_id ?? 0); from += memberBatch) {
    const busy = await db
      .selectFrom('activity')
      .select('user_id')
      .where('user_id', '>=', from)
      .where('user_id', '<', from + memberBatch)
      .groupBy('user_id')
      .having(({ fn }) => fn.countAll(), '>', maxPerMember)
      .execute()
    for (const { user_id } of busy) await pruneMember(db, user_id)
  }
}

async function pruneMember(db: Db, userId: number): Promise<void> {
  const own = db.selectFrom('activity').select('id').where('user_id', '=', userId).orderBy('id', 'desc')
  const oldest = await own.offset(maxPerMember).limit(1).executeTakeFirst()
  if (!oldest) return
  await db.deleteFrom('activity').where('user_id', '=', userId).where('id', '<=', oldest.id).execute()
}

const sizes = { min: 10, max: 100, default: 20 }

export const activityRoutes: Handlers<typeof activities> = {
  async list(ctx, input) {
    const query = ctx.db.selectFrom('activity').selectAll().where('user_id', '=', ctx.viewer.id)
    const { total, rows } = await listRows(query, input, { order: [['id', 'desc']], sizes })
    const name = creditName(ctx.settings)
    return { total, dynamic: rows.map((row) => describe(row, name)) }
  },
}

function describe(row: Omit<Activity, 'content' | 'action'>, credits: string): Activity {
  const action = activityLabels[row.type] ?? ''
  const title = escapeHtml(row.subject)
  const subject = row.href ? `<a href="${escapeHtml(row.href)}">${title}</a>` : title
  const change = `${row.amount > 0 ? '获得' : '扣除'} ${Math.abs(row.amount)} 个${escapeHtml(credits)}`
  const content = `${action}${title ? `《${subject}》` : ''}${row.amount === 0 ? '' : `，${change}`}`
  return { ...row, action, content }
}
