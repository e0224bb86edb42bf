import type { annotations } from '#shared/contract/reading.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { Visibility } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { assertWithinLimits, getMarkable, maxPerDocument, withDocuments } from './marks.ts'

const range = ['start_line', 'start_char', 'end_line', 'end_char'] as const
const stamps = ['created_at', 'updated_at'] as const
const columns = ['id', 'document_id', 'document_title', 'page', ...range, 'quote', 'color', 'note', ...stamps] as const

export async function createAnnotation(
  ctx: MemberCtx,
  input: Input<typeof annotations.create>,
): Promise<Reply<typeof annotations.create>> {
  const { id: document_id, uuid, title } = await getMarkable(ctx, input)
  const { document_title: _title, ...row } = await transaction(ctx, async (ctx) => {
    await assertWithinLimits(ctx, 'annotation', document_id)
    return ctx.db
      .insertInto('annotation')
      .values({
        user_id: ctx.viewer.id,
        document_title: title,
        ...input,
        visibility: Visibility.Private,
        created_at: ctx.now(),
        updated_at: ctx.now(),
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
  })
  return { ...row, document_uuid: uuid, title, is_gone: false }
}

/** Also in a document that is hidden from the member: the note is theirs. */
export async function updateAnnotation(
  ctx: MemberCtx,
  { id, color, note }: Input<typeof annotations.update>,
): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('annotation')
    .set({ color, note, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('user_id', '=', ctx.viewer.id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw errors.reading.notFound()
}

/** The caller's own; ids of others are ignored. */
export async function deleteAnnotations({ db, viewer }: MemberCtx, { id }: Input<typeof annotations.delete>) {
  await db.deleteFrom('annotation').where('id', 'in', id).where('user_id', '=', viewer.id).execute()
}

/** Documents with the latest notes first, each in the order of its text. */
export async function listAnnotations(
  ctx: MemberCtx,
  { document_id, ...paging }: Input<typeof annotations.list>,
): Promise<Reply<typeof annotations.list>> {
  const all = ctx.db.selectFrom('annotation').where('annotation.user_id', '=', ctx.viewer.id)
  const own = document_id > 0 ? all.where('annotation.document_id', '=', document_id) : all
  const latest = own
    .select(({ fn }) => ['document_id', fn.max('updated_at').as('at')])
    .groupBy('document_id')
    .as('latest')
  const query = own
    .innerJoin(latest, 'latest.document_id', 'annotation.document_id')
    .select(columns.map((column) => `annotation.${column}` as const))
  const { total, rows } = await listRows(query, paging, {
    search: ['annotation.quote', 'annotation.note', 'annotation.document_title'],
    order: [
      ['latest.at', 'desc'],
      ['annotation.document_id', 'desc'],
      ['annotation.page', 'asc'],
      ['annotation.start_line', 'asc'],
      ['annotation.start_char', 'asc'],
      ['annotation.id', 'asc'],
    ],
    sizes: { min: 1, max: maxPerDocument.annotation, default: 20 },
  })
  return { total, annotation: await withDocuments(ctx, rows) }
}
