import type { Dynamic, dynamics } from '#shared/contract/credits.ts'
import { type ActivityType, activityLabels } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import type { Db } from '#server/db/open.ts'
import { escapeHtml } from '#server/html.ts'
import type { Handlers } from '#server/http/api/mount.ts'

interface Done {
  userId: number
  type: ActivityType
  /** What it was done to, as it is called now, and where that is. */
  subject?: string
  href?: string
  /** Credits that it brought, or cost. */
  amount?: number
}

/** Notes what a member has done. Call it in the transaction that does it. */
export async function recordDynamic(
  ctx: Ctx,
  { userId, type, subject = '', href = '', amount = 0 }: Done,
): Promise<void> {
  if (userId === 0) return
  const row = { user_id: userId, type, subject, href, amount, created_at: ctx.now() }
  await ctx.db.insertInto('dynamic').values(row).execute()
}

/** Members look back on so many, the newest. */
const kept = 1000
/** So many members are looked at in one go. */
const atOnce = 1000

export async function pruneDynamics({ db }: Ctx): Promise<void> {
  const last = await db.selectFrom('dynamic').select('user_id').orderBy('user_id', 'desc').limit(1).executeTakeFirst()
  for (let from = 1; from <= (last?.user_id ?? 0); from += atOnce) {
    const busy = await db
      .selectFrom('dynamic')
      .select('user_id')
      .where('user_id', '>=', from)
      .where('user_id', '<', from + atOnce)
      .groupBy('user_id')
      .having(({ fn }) => fn.countAll(), '>', kept)
      .execute()
    for (const { user_id } of busy) await pruneOf(db, user_id)
  }
}

async function pruneOf(db: Db, userId: number): Promise<void> {
  const own = db.selectFrom('dynamic').select('id').where('user_id', '=', userId).orderBy('id', 'desc')
  const oldest = await own.offset(kept).limit(1).executeTakeFirst()
  if (!oldest) return
  await db.deleteFrom('dynamic').where('user_id', '=', userId).where('id', '<=', oldest.id).execute()
}

const sizes = { min: 10, max: 100, default: 20 }

export const dynamicRoutes: Handlers<typeof dynamics> = {
  async list(ctx, input) {
    const query = ctx.db.selectFrom('dynamic').selectAll().where('user_id', '=', ctx.viewer.id)
    const { total, rows } = await listRows(query, input, { order: [['id', 'desc']], sizes })
    const name = ctx.settings.score.credit_name
    return { total, dynamic: rows.map((row) => described(row, name)) }
  },
}

function described(row: Omit<Dynamic, 'content' | 'action'>, creditName: string): Dynamic {
  const action = activityLabels[row.type as ActivityType] ?? ''
  const title = escapeHtml(row.subject)
  const subject = row.href ? `<a href="${escapeHtml(row.href)}">${title}</a>` : title
  const change = `${row.amount > 0 ? '获得' : '扣除'} ${Math.abs(row.amount)} 个${escapeHtml(creditName)}`
  const content = `${action}${title ? `《${subject}》` : ''}${row.amount === 0 ? '' : `，${change}`}`
  return { ...row, action, content }
}
