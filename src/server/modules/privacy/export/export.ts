import type { Selectable } from 'kysely'
import type { DataExport } from '#shared/contract/privacy.ts'
import { errors } from '#shared/errors.ts'
import { formatTime } from '#shared/format.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { enqueue } from '#server/jobs.ts'
import { createExportLink } from './link.ts'

export type ExportRow = Selectable<Tables['data_export']>

const dayMs = 86_400_000
/** How long an archive can be downloaded. */
export const keptMs = 7 * dayMs

/** One at a time for each member, and one a day; one that failed does not count. */
export async function requestExport(ctx: MemberCtx): Promise<DataExport> {
  const userId = ctx.viewer.id
  try {
    await transaction(ctx, async (ctx) => {
      const latest = await findLatest(ctx.db, userId)
      if (latest && isPending(latest)) throw errors.privacy.exportRunning()
      const nextAt = latest && nextTime(latest, ctx.now())
      if (nextAt) throw errors.privacy.exportTooSoon(formatTime(nextAt))
      const now = ctx.now()
      const { id } = await ctx.db
        .insertInto('data_export')
        .values({ user_id: userId, state: 'waiting', pending_key: `user:${userId}`, created_at: now, updated_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      await enqueue(ctx, 'privacy.export', { export: id }, { owner: userId })
    })
  } catch (error) {
    // Requested twice at once.
    throw isTaken(error) ? errors.privacy.exportRunning() : error
  }
  return getExport(ctx)
}

export async function getExport(ctx: MemberCtx): Promise<DataExport> {
  const row = await findLatest(ctx.db, ctx.viewer.id)
  if (!row) return { ...noExport }
  const state = row.state === 'ready' && row.expires_at <= ctx.now() ? 'expired' : row.state
  return {
    state,
    done: row.done,
    total: row.total,
    size: row.size,
    created_at: row.created_at,
    expires_at: row.expires_at || null,
    next_at: nextTime(row, ctx.now()),
    link: state === 'ready' ? await createExportLink(ctx, row.id) : '',
  }
}

const noExport: DataExport = {
  state: 'none',
  done: 0,
  total: 0,
  size: 0,
  created_at: null,
  expires_at: null,
  next_at: null,
  link: '',
}

/** When the next can be requested; null for now. */
function nextTime({ state, created_at }: ExportRow, now: number): number | null {
  const at = created_at + dayMs
  return state !== 'failed' && at > now ? at : null
}

function isPending({ state }: ExportRow): boolean {
  return state === 'waiting' || state === 'running'
}

function findLatest(db: Db, userId: number): Promise<ExportRow | undefined> {
  return db
    .selectFrom('data_export')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
