import { createHash } from 'node:crypto'
import type { documents, Progress } from '#shared/contract/documents.ts'
import { toWireStatus } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { failureMessage } from '#server/modules/renditions/failures.ts'
import { withPayment } from './documents.paid.ts'
import { viewKey } from './documents.keys.ts'
import { findProgress, type ProgressRow, type ProgressWatcher } from './documents.watcher.ts'
import { owns, countVisiblePages, seesUnpublished } from './documents.policy.ts'
import { filterVisible } from './visibility/visibility.policy.ts'

type PaidRow = ProgressRow & { isPaidFor: boolean }

const maxForVisitors = 100

/** Long poll: the progress of documents, at once or as soon as it differs from what the caller knows. */
export async function getProgress(
  ctx: Ctx,
  { id, wait, known }: Input<typeof documents.progress>,
  watcher: ProgressWatcher,
): Promise<Reply<typeof documents.progress>> {
  const ids = [...new Set(id)]
  if (ctx.viewer.id === 0 && ids.length > maxForVisitors)
    throw errors.request.invalid(`一次最多查询 ${maxForVisitors} 个文档`)
  const deadline = Date.now() + wait * 1000
  for (;;) {
    const rows = await findProgress(ctx.db, ids)
    const reply = toReply(ctx, await withPayment(ctx, await filterVisible(ctx, rows)))
    const ms = deadline - Date.now()
    if (reply.known !== known || ms <= 0) return reply
    const isChanged = await watcher.waitForChange({ ids, seen: rows, network: ctx.origin.network, ms })
    if (!isChanged) return reply
  }
}

function toReply(ctx: Ctx, rows: readonly PaidRow[]): Reply<typeof documents.progress> {
  const document = rows.map((row) => present(ctx, row))
  const known = createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 22)
  return { known, document }
}

function present(ctx: Ctx, row: PaidRow): Progress {
  const { id, uuid, pages } = row
  const previewed = row.is_partial ? (row.rendition_pages ?? 0) : 0
  const hash = pages + previewed > 0 ? viewKey(ctx, row, row.revision ?? 0) : ''
  return {
    id,
    uuid,
    status: toWireStatus(row.status),
    pages,
    preview: countVisiblePages(ctx, row),
    first: countVisiblePages(ctx, { ...row, pages: previewed }),
    read: row.text_pages ?? 0,
    cover: row.has_cover ? `/view/cover/${viewKey(ctx, { ...row, isPaidFor: false }, row.revision ?? 0)}` : '',
    hash,
    convert_error: describeFailure(ctx, row, row.reason ?? ''),
  }
}

/** Why a document cannot be shown, for its owner and staff; that a format is unsupported is public. */
export function describeFailure(
  { viewer }: Pick<Ctx, 'viewer'>,
  document: { user_id: number },
  reason: string,
): string {
  const isTold = reason === 'unsupported' || owns(viewer, document) || seesUnpublished(viewer)
  return isTold ? failureMessage(reason) : ''
}
