import type { Updateable } from 'kysely'
import type { attachments } from '#shared/contract/attachments.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { listRows, within } from '#server/db/list.ts'
import type { Tables } from '#server/db/tables.ts'
import { bit } from '#server/db/tables/column.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { cleanFileName } from './file-names.ts'
import { presentAttachments } from './attachments.present.ts'

export const attachmentRoutes: Handlers<typeof attachments> = {
  async list(ctx, input) {
    let query = selectAttachments(ctx).where(within('created_at', input.created_at))
    if (input.enable.length > 0) query = query.where('enable', 'in', input.enable.map(bit))
    if (input.user_id.length > 0) query = query.where('user_id', 'in', input.user_id)
    if (input.type.length > 0) query = query.where('type', 'in', input.type)
    if (input.ext) query = query.where('ext', '=', `.${input.ext.toLowerCase().replace(/^\./, '')}`)
    const { total, rows } = await listRows(query, input, {
      search: ['name', 'description', 'hash'],
      order: [['id', 'desc']],
      sortable: ['size', 'created_at', 'updated_at'],
      sizes: { min: 1, max: 1000, default: 10 },
    })
    return { total, attachment: await presentAttachments(ctx.db, rows) }
  },

  async get(ctx, { id }) {
    const row = await selectAttachments(ctx).where('id', '=', id).executeTakeFirst()
    const [attachment] = row ? await presentAttachments(ctx.db, [row]) : []
    if (!attachment) throw errors.attachments.notFound()
    return attachment
  },

  async update(ctx, { id, name, enable, description }) {
    const clean = cleanFileName(name)
    if (!clean) throw errors.uploads.nameNeeded()
    await setColumns(ctx, id, { name: clean, enable: bit(enable), description })
    return {}
  },

  async patch(ctx, { id, enable }) {
    await setColumns(ctx, id, { enable: bit(enable) })
    return {}
  },

  delete() {
    throw errors.attachments.managed()
  },
}

function setColumns(ctx: Ctx, id: number, columns: Updateable<Tables['attachment']>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { numUpdatedRows } = await ctx.db
      .updateTable('attachment')
      .set({ ...columns, updated_at: ctx.now() })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('enable', '=', 0)]))
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw errors.attachments.notFound()
  })
}

/** Those that are not deleted, and deleted ones that ban their content. */
function selectAttachments(ctx: Ctx) {
  return ctx.db
    .selectFrom('attachment')
    .selectAll()
    .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('enable', '=', 0)]))
}
