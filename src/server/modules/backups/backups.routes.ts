import type { backups } from '#shared/contract/backups.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { type BackupDeps, deleteBackups, listBackups, requestBackup } from './backups.ts'
import { createBackupLink } from './file.ts'

export function backupRoutes(deps: BackupDeps): Handlers<typeof backups> {
  return {
    list: (ctx) => listBackups(ctx, deps),
    create: async (ctx) => ({ id: await requestBackup(ctx, { isScheduled: false }) }),
    link: async (ctx, { id }) => ({ link: await createBackupLink(ctx, id, deps) }),
    async delete(ctx, { id }) {
      await deleteBackups(ctx, id, deps)
      return {}
    },
  }
}
