import type { Selectable } from 'kysely'
import type { Attachment } from '#shared/contract/attachments.ts'
import { AttachmentType, attachmentTypeLabels } from '#shared/enums.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type AttachmentRow = Selectable<Tables['attachment']>

export async function presentAttachments(db: Db, rows: readonly AttachmentRow[]): Promise<Attachment[]> {
  const users = await db
    .selectFrom('user')
    .select(['id', 'username'])
    .where('id', 'in', [0, ...new Set(rows.map(({ user_id }) => user_id))])
    .execute()
  const names = new Map(users.map(({ id, username }) => [id, username]))
  return rows.map(({ deleted_at: _deleted, ...row }) => ({
    ...row,
    enable: row.enable === 1,
    username: names.get(row.user_id) ?? '',
    type_name: typeNames[row.type] ?? attachmentTypeLabels[AttachmentType.Unknown],
  }))
}

const typeNames: Record<number, string> = attachmentTypeLabels
