import { createHash } from 'node:crypto'
import type { documents, Progress } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { previewPages } from '#shared/preview.ts'
import type { Ctx } from '#server/context.ts'
import { sentenceFor } from './documents.failures.ts'
import { viewKey } from './documents.keys.ts'
import { marksOf, watchOf } from './documents.live.ts'
import { canSee, owns, readsAll } from './documents.policy.ts'

/** How far documents are, at once or as soon as it is no longer what the caller knows. */
export async function progressOf(
  ctx: Ctx,
  { id, wait, known }: Input<typeof documents.progress>,
): Promise<Reply<typeof documents.progress>> {
  const ids = [...new Set(id)]
  const until = Date.now() + wait * 1000
  for (;;) {
    const marks = await marksOf(ctx.db, ids)
    const reply = await lookAt(ctx, ids)
    const left = until - Date.now()
    if (reply.known !== known || left <= 0) return reply
    if (!(await watchOf(ctx.db).next({ marks, ms: left }))) return reply
  }
}

async function lookAt(ctx: Ctx, ids: readonly number[]): Promise<Reply<typeof documents.progress>> {
  const rows = await progressRows(ctx, ids)
  const document = rows.filter((row) => canSee(ctx.viewer, row)).map((row) => present(ctx, row))
  const known = createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 22)
  return { known, document }
}

type Row = Awaited<ReturnType<typeof progressRows>>[number]

function progressRows({ db }: Ctx, ids: readonly number[]) {
  return db
    .selectFrom('document')
    .leftJoin('rendition', 'rendition.hash', 'document.hash')
    .select([
      'document.id',
      'document.uuid',
      'document.user_id',
      'document.status',
      'document.deleted_at',
      'document.pages',
      'rendition.revision',
      'rendition.read_pages',
      'rendition.has_cover',
      'rendition.reason',
    ])
    .where('document.id', 'in', ids)
    .orderBy('document.id')
    .execute()
}

function present(ctx: Ctx, row: Row): Progress {
  const { id, uuid, status, pages } = row
  const hash = pages > 0 ? viewKey(ctx, row, row.revision ?? 0) : ''
  return {
    id,
    uuid,
    status,
    pages,
    preview: readsAll(ctx.viewer, row) ? pages : pages && previewPages(pages, ctx.settings.converter),
    read: row.read_pages ?? 0,
    cover: row.has_cover ? `/view/cover/${hash}` : '',
    hash,
    convert_error: failureText(ctx, row, row.reason ?? ''),
  }
}

/** Why a document cannot be shown, for those whom it concerns; that a format cannot be shown concerns everybody. */
export function failureText({ viewer }: Pick<Ctx, 'viewer'>, document: { user_id: number }, reason: string): string {
  const concerned = reason === 'unsupported' || owns(viewer, document) || viewer.can('DocumentAPI/ListDocument')
  return concerned ? sentenceFor(reason) : ''
}
