import type { credits } from '#shared/contract/credits.ts'
import { type CreditReason, creditReasons } from '#shared/credits.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'

const sizes = { min: 10, max: 100, default: 20 }

/** Reasons whose `ref_id` is a document. */
const aboutDocuments = new Set<string>([
  'upload',
  'download',
  'sale',
  'saleWithdrawn',
  'delete',
  'favorited',
  'commented',
] satisfies CreditReason[])

/** Titles and addresses of the documents that the viewer may know of. */
export type FindTitles = (ctx: Ctx, ids: readonly number[]) => Promise<Map<number, { title: string; uuid: string }>>

export async function listEntries(
  ctx: MemberCtx,
  input: Input<typeof credits.entries>,
  findTitles: FindTitles,
): Promise<Reply<typeof credits.entries>> {
  const query = ctx.db
    .selectFrom('credit_entry')
    .select(['id', 'amount', 'balance', 'reason', 'ref_id', 'note', 'created_at'])
    .where('user_id', '=', ctx.viewer.id)
  const { total, rows } = await listRows(query, input, { order: [['id', 'desc']], sizes })
  const documentIds = rows.filter(({ reason }) => aboutDocuments.has(reason)).map(({ ref_id }) => ref_id)
  const documents = await findTitles(ctx, documentIds)
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
