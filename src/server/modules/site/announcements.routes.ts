import { announcements } from '#shared/contract/announcements.ts'
import { transaction } from '#server/context.ts'
import { crud } from '#server/db/crud.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { createAnnouncement, findGroupIds, updateAnnouncement } from './announcements.edit.ts'
import { listCurrent, listPublished, readAnnouncement } from './announcements.read.ts'

const announcementCrud = crud(announcements, {
  table: 'announcement',
  search: ['title', 'content'],
  filters: ['enable', 'audience'],
  order: [['id', 'desc']],
  sortable: ['start_time', 'end_time', 'created_at'],
  nullable: ['start_time', 'end_time'],
})

export const announcementRoutes: Handlers<typeof announcements> = {
  current: listCurrent,
  published: listPublished,
  read: readAnnouncement,
  async list(ctx, input) {
    const { total, announcement } = await announcementCrud.list(ctx, input)
    const groupIds = await findGroupIds(
      ctx.db,
      announcement.map(({ id }) => id),
    )
    return { total, announcement: announcement.map((row) => ({ ...row, group_id: groupIds.get(row.id) ?? [] })) }
  },
  async get(ctx, input) {
    const row = await announcementCrud.get(ctx, input)
    const groupIds = await findGroupIds(ctx.db, [row.id])
    return { ...row, group_id: groupIds.get(row.id) ?? [] }
  },
  create: createAnnouncement,
  update: emptyReply(updateAnnouncement),
  patch: announcementCrud.patch,
  delete: (ctx, input) =>
    transaction(ctx, async (ctx) => {
      await ctx.db.deleteFrom('announcement_group').where('announcement_id', 'in', input.id).execute()
      return announcementCrud.delete(ctx, input)
    }),
}
