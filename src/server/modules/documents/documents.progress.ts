import { createHash } from 'node:crypto'
import type { documents, Progress } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { sentenceFor } from '#server/modules/renditions/failures.ts'
import { viewKey } from './documents.keys.ts'
import { progressRows, type ProgressRow, watchOf } from './documents.watcher.ts'
import { canSee, owns, previewOf } from './documents.policy.ts'

const mostForVisitors = 100

/** How far documents are, at once or as soon as it is no longer what the caller knows. */
export async function progressOf(
  ctx: Ctx,
  { id, wait, known }: Input<typeof documents.progress>,
): Promise<Reply<typeof documents.progress>> {
  const ids = [...new Set(id)]
  if (ctx.viewer.id === 0 && ids.length > mostForVisitors)
    throw errors.request.invalid(`一次最多查询 ${mostForVisitors} 个文档`)
  const until = Date.now() + wait * 1000
  for (;;) {
    const seen = await progressRows(ctx.db, ids)
    const reply = replyOf(ctx, seen)
    const ms = until - Date.now()
    if (reply.known !== known || ms <= 0) return reply
    if (!(await watchOf(ctx.db).next({ ids, seen, network: ctx.origin.network, ms }))) return reply
  }
}

function replyOf(ctx: Ctx, rows: readonly ProgressRow[]): Reply<typeof documents.progress> {
  const document = rows.filter((row) => canSee(ctx.viewer, row)).map((row) => present(ctx, row))
  const known = createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 22)
  return { known, document }
}

function present(ctx: Ctx, row: ProgressRow): Progress {
  const { id, uuid, status, pages } = row
  const first = row.partial ? (row.made ?? 0) : 0
  const hash = pages + first > 0 ? viewKey(ctx, row, row.revision ?? 0) : ''
  return {
    id,
    uuid,
    status,
    pages,
    preview: previewOf(ctx, row),
    first: previewOf(ctx, { ...row, pages: first }),
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
