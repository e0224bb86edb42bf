import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Selectable } from 'kysely'
import type { Backup, backups } from '#shared/contract/backups.ts'
import type { Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { findLastBackup } from '#server/backup/last-backup.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db, OpenDatabase } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { enqueue } from '#server/jobs.ts'

export interface BackupDeps {
  database: OpenDatabase
  /** On this machine's disk: a backup beside what it is a backup of, to be copied elsewhere by the owner. */
  folder: string
}

export type BackupRow = Selectable<Tables['backup']>

const shown = 100

export async function listBackups({ db }: Ctx, { folder }: BackupDeps): Promise<Reply<typeof backups.list>> {
  const [rows, last_good_at] = await Promise.all([
    db.selectFrom('backup').selectAll().orderBy('id', 'desc').limit(shown).execute(),
    findLastBackup(db),
  ])
  return { backup: rows.map((row) => present(row, folder)), last_good_at, folder }
}

/** One backup at a time, be it staff or the schedule that asks: of two requests at once the second is refused. */
export function requestBackup(ctx: Ctx, { isScheduled }: { isScheduled: boolean }): Promise<number> {
  return transaction(ctx, async (ctx) => {
    const row = await ctx.db
      .insertInto('backup')
      .values({
        state: 'waiting',
        pending_key: 'pending',
        is_scheduled: isScheduled ? 1 : 0,
        created_at: ctx.now(),
        updated_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) throw errors.backups.running()
    await enqueue(ctx, 'backups.make', { backup: row.id })
    return row.id
  })
}

export async function getBackup(db: Db, id: number): Promise<BackupRow> {
  const row = await db.selectFrom('backup').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw errors.backups.notFound()
  return row
}

/** The file of a complete backup, if this machine has it. */
export function findFile({ state, name }: BackupRow, folder: string): string | undefined {
  const path = join(folder, name)
  return state === 'done' && name && existsSync(path) ? path : undefined
}

/** A file on another machine stays there: only its record goes. */
export async function deleteBackups(ctx: Ctx, ids: readonly number[], { folder }: BackupDeps): Promise<void> {
  for (const id of ids) {
    const row = await getBackup(ctx.db, id)
    if (row.pending_key) throw errors.backups.running()
    if (row.name) await rm(join(folder, row.name), { force: true })
    await transaction(ctx, ({ db }) => db.deleteFrom('backup').where('id', '=', id).execute())
  }
}

function present(row: BackupRow, folder: string): Backup {
  const { pending_key: _key, name, folder: place, is_scheduled, updated_at: _at, ...rest } = row
  return {
    ...rest,
    path: name && join(place, name),
    is_here: findFile(row, folder) !== undefined,
    is_scheduled: is_scheduled === 1,
  }
}
