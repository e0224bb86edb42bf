import { mkdir, rm, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Updateable } from 'kysely'
import { formatSize } from '#shared/format.ts'
import { backupName, sweepPartials } from '#server/backup/archive.ts'
import { BackupError } from '#server/backup/format.ts'
import { recordBackup } from '#server/backup/last-backup.ts'
import { makeBackup } from '#server/backup/make.ts'
import { openBackup } from '#server/backup/read.ts'
import type { Ctx } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import { explainFailure } from '#server/explain-failure.ts'
import type { JobPayload } from '#server/jobs.ts'
import type { JobRun } from '#server/jobs/worker.ts'
import { version } from '#server/version.ts'
import { type BackupDeps, type BackupRow, findFile } from './backups.ts'

/** The space that a site without files needs. */
const spareBytes = 256 * 1024 * 1024

/** Makes it on the machine of the worker that runs this job; it is good once it was read again from end to end. */
export async function runBackup(
  ctx: Ctx,
  { backup: id }: JobPayload<'backups.make'>,
  run: JobRun,
  deps: BackupDeps,
): Promise<void> {
  const row = await ctx.db.selectFrom('backup').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row?.pending_key) return
  try {
    await make(ctx, row, run, deps)
  } catch (error) {
    // The next worker begins it again.
    if (run.signal.aborted) throw error
    ctx.log.error({ error }, 'no backup was made')
    const known = error instanceof BackupError ? error.message : explainFailure(error)
    await setRow(ctx, id, {
      state: 'failed',
      pending_key: '',
      note: '',
      error: known ?? '备份没有完成，原因在服务器的日志里',
    })
  }
}

async function make(ctx: Ctx, row: BackupRow, { signal }: JobRun, { database, folder }: BackupDeps): Promise<void> {
  const { id } = row
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // An earlier process, killed after the file had got its name, may have left it.
  if (row.name) await rm(join(folder, row.name), { force: true })
  await sweepPartials(folder)
  const name = backupName(ctx.now())
  const path = join(folder, name)
  await setRow(ctx, id, { state: 'running', host: hostname(), folder, name, note: '' })
  await assertRoom(ctx, folder)
  const say = (note: string) => void setRow(ctx, id, { note }).catch(() => {})
  const { size, manifest } = await makeBackup({
    database,
    storage: ctx.storage,
    path,
    version,
    now: ctx.now,
    say,
    signal,
  })
  await setRow(ctx, id, { note: '正在从头到尾核对' })
  try {
    await (await openBackup(path)).close()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  const { tables, files, missing, altered } = manifest
  const at = ctx.now()
  await recordBackup(ctx.db, at)
  await setRow(ctx, id, {
    state: 'done',
    pending_key: '',
    note: '',
    size,
    rows: Object.values(tables).reduce((sum, { rows }) => sum + rows, 0),
    files: files.count,
    missing: missing.length,
    altered: altered.length,
    finished_at: at,
  })
  await removeOld(ctx, folder)
}

/** A full disk would stop the site. */
async function assertRoom({ db }: Ctx, folder: string): Promise<void> {
  const [{ bavail, bsize }, stored] = await Promise.all([
    statfs(folder),
    db
      .selectFrom('stored_file')
      .select(({ fn }) => fn.sum<number | null>('size').as('size'))
      .executeTakeFirst(),
  ])
  const [free, needed] = [bavail * bsize, (stored?.size ?? 0) + spareBytes]
  if (free < needed)
    throw new BackupError(
      `磁盘空间不够：备份大约要 ${formatSize(needed)}，${folder} 所在的磁盘只剩 ${formatSize(free)}。请腾出空间，或少保留几份`,
    )
}

/** Backups on this machine are removed: those on another one are its own to remove. */
async function removeOld(ctx: Ctx, folder: string): Promise<void> {
  const rows = await ctx.db.selectFrom('backup').selectAll().where('state', '=', 'done').orderBy('id', 'desc').execute()
  const here = rows.flatMap((row) => {
    const path = findFile(row, folder)
    return path === undefined ? [] : [{ id: row.id, path }]
  })
  for (const { id, path } of here.slice(ctx.settings.backup.keep)) {
    await rm(path, { force: true })
    await ctx.db.deleteFrom('backup').where('id', '=', id).execute()
  }
}

async function setRow({ db, now }: Ctx, id: number, columns: Updateable<Tables['backup']>): Promise<void> {
  await db
    .updateTable('backup')
    .set({ ...columns, updated_at: now() })
    .where('id', '=', id)
    .execute()
}
