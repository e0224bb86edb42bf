import type { credits } from '#shared/contract/credits.ts'
import { type CreditReason, creditReasons } from '#shared/credits.ts'
import { publicStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { MemberCtx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'

const sizes = { min: 10, max: 100, default: 20 }

/** Reasons whose `ref_id` is a document. */
const aboutDocuments = new Set<string>([
  'upload',
  'download',
  'sale',
  'delete',
  'favorited',
  'commented',
] satisfies CreditReason[])

export async function listEntries(
  ctx: MemberCtx,
  input: Input<typeof credits.entries>,
): Promise<Reply<typeof credits.entries>> {
  const query = ctx.db
    .selectFrom('credit_entry')
    .select(['id', 'amount', 'balance', 'reason', 'ref_id', 'note', 'created_at'])
    .where('user_id', '=', ctx.viewer.id)
  const { total, rows } = await listRows(query, input, { order: [['id', 'desc']], sizes })
  const documentIds = rows.filter(({ reason }) => aboutDocuments.has(reason)).map(({ ref_id }) => ref_id)
  const documents = await visibleDocuments(ctx, documentIds)
  const entry = rows.map(({ ref_id, ...row }) => {
    const document = aboutDocuments.has(row.reason) ? documents.get(ref_id) : undefined
    return {
      ...row,
      title: creditReasons[row.reason as CreditReason] ?? '',
      subject: document?.title ?? '',
      href: document ? `/document/${document.uuid}` : '',
    }
  })
  return { total, entry }
}

async function visibleDocuments({ db, viewer }: MemberCtx, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { title: string; uuid: string }>()
  const query = db
    .selectFrom('document')
    .select(['id', 'uuid', 'title'])
    .where('id', 'in', [...new Set(ids)])
    .where('deleted_at', 'is', null)
  const visible = viewer.can('DocumentAPI/ListDocument')
    ? query
    : query.where((where) => where.or([where('status', 'in', [...publicStatuses]), where('user_id', '=', viewer.id)]))
  const rows = await visible.execute()
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
