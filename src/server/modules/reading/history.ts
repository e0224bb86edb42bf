import type { HistoryItem, reading } from '#shared/contract/reading.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { MemberCtx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { documentColumns } from '#server/db/tables/documents.ts'
import { presentDocuments } from '#server/modules/documents/documents.present.ts'
import { filterVisible } from '#server/modules/documents/visibility/visibility.policy.ts'

/** The documents that the caller has read, the last one first. Of one that is hidden from them, the title alone stays. */
export async function listHistory(
  ctx: MemberCtx,
  { state, ...paging }: Input<typeof reading.history>,
): Promise<Reply<typeof reading.history>> {
  const all = ctx.db.selectFrom('reading_progress').selectAll().where('user_id', '=', ctx.viewer.id)
  const query = state === '' ? all : all.where('finished_at', state === 'finished' ? 'is not' : 'is', null)
  const { total, rows } = await listRows(query, paging, {
    search: ['document_title'],
    order: [
      ['read_at', 'desc'],
      ['id', 'desc'],
    ],
    sizes: { min: 1, max: 100, default: 20 },
  })
  const documents = await findDocuments(
    ctx,
    rows.map(({ document_id }) => document_id),
  )
  const history = rows.map(({ document_title, user_id: _user, created_at: _at, updated_at: _changed, ...row }) => {
    const document = documents.get(row.document_id)
    return { ...row, ...(document ?? { ...hidden, title: document_title }) } satisfies HistoryItem
  })
  return { total, history }
}

/** Rows of others are ignored. */
export async function deleteHistory({ db, viewer }: MemberCtx, { id }: Input<typeof reading.delete>): Promise<void> {
  await db.deleteFrom('reading_progress').where('id', 'in', id).where('user_id', '=', viewer.id).execute()
}

export async function clearHistory({ db, viewer }: MemberCtx): Promise<void> {
  await db.deleteFrom('reading_progress').where('user_id', '=', viewer.id).execute()
}

const hidden = { document_uuid: '', is_gone: true, cover: '', ext: '', pages: 0 }

async function findDocuments(ctx: MemberCtx, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, never>()
  const rows = await ctx.db.selectFrom('document').select(documentColumns).where('id', 'in', ids).execute()
  const documents = await presentDocuments(ctx, await filterVisible(ctx, rows))
  return new Map(
    documents.map(({ id, uuid, title, cover, ext, pages }) => [
      id,
      { document_uuid: uuid, title, is_gone: false, cover, ext, pages },
    ]),
  )
}
