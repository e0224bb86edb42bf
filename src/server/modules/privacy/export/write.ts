import { Readable } from 'node:stream'
import { formatTime } from '#shared/format.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { isMailEnabled } from '#server/gateways/mail.ts'
import type { JobPayload } from '#server/jobs.ts'
import type { JobRun } from '#server/jobs/worker.ts'
import { enqueueMail } from '#server/modules/mail/mail.service.ts'
import { findUser, type UserRow } from '#server/modules/users/users.queries.ts'
import { archiveEntries, countEntries } from './archive.ts'
import { type ExportRow, keptMs } from './export.ts'
import { writeZip } from './zip.ts'

/** Progress is written after so many entries: each write costs more than a small file. */
const progressEvery = 20

/**
 * Writes the archive into the storage, where it appears at once when it is complete. A job that was killed begins again from
 * the start, under another key: an object never changes.
 */
export async function writeExport(ctx: Ctx, { export: id }: JobPayload<'privacy.export'>, run: JobRun): Promise<void> {
  const row = await ctx.db.selectFrom('data_export').selectAll().where('id', '=', id).executeTakeFirst()
  const user = row && (await findUser(ctx.db, row.user_id))
  if (!row || !user || user.deleted_at !== null || !row.pending_key) return
  try {
    await write(ctx, row, user, run)
  } catch (error) {
    if (run.last && !run.signal.aborted) await setState(ctx, id, { state: 'failed', pending_key: '' })
    throw error
  }
}

async function write(ctx: Ctx, row: ExportRow, user: UserRow, run: JobRun): Promise<void> {
  const { id } = row
  // Of an attempt that was killed.
  if (row.storage_key) await ctx.storage.remove([row.storage_key])
  const storage_key = `exports/${id}-${ctx.id()}.zip`
  const total = await countEntries(ctx, user.id)
  await setState(ctx, id, { state: 'running', storage_key, total, done: 0 })
  const entries = archiveEntries(ctx, {
    user,
    signal: run.signal,
    async onProgress(done) {
      if (done % progressEvery === 0) await setState(ctx, id, { done: Math.min(done, total) })
    },
  })
  await ctx.storage.put(storage_key, Readable.from(writeZip(entries), { objectMode: false }))
  const stored = await ctx.storage.find(storage_key)
  const expires_at = ctx.now() + keptMs
  const isReady = await transaction(ctx, async (ctx) => {
    const ready = { state: 'ready', pending_key: '', done: total, size: stored?.size ?? 0, expires_at } as const
    const changed = await setState(ctx, id, ready)
    if (changed && user.email && isMailEnabled(ctx.settings)) await mailMember(ctx, user, expires_at)
    return changed
  })
  // The account was deleted meanwhile.
  if (!isReady) await ctx.storage.remove([storage_key])
}

async function mailMember(ctx: Ctx, { username, email }: UserRow, expiresAt: number): Promise<void> {
  const { domain } = ctx.settings.system
  const link = domain && new URL('/me/security', domain).href
  const params = { username, end: formatTime(expiresAt), link }
  await enqueueMail(ctx, { to: email, template: 'export-ready', params, expiresAt })
}

/** False if it is not pending any more. */
async function setState(ctx: Ctx, id: number, columns: Partial<ExportRow>): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('data_export')
    .set({ ...columns, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('pending_key', '<>', '')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
