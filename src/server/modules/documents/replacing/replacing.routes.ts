import type { replacements } from '#shared/contract/document-files.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { replaceFile } from './replace.ts'
import { presentReplacements } from './replacements.present.ts'
import { getReplaceable } from './replacing.policy.ts'
import { approveReplacement, rejectReplacement, withdrawReplacement } from './review.ts'

export const replacementRoutes: Handlers<typeof replacements> = {
  create: replaceFile,
  ofDocument: listOfDocument,
  withdraw: emptyReply(withdrawReplacement),
  list: listAll,
  approve: emptyReply(approveReplacement),
  reject: emptyReply(rejectReplacement),
}

const latest = 20

async function listOfDocument(
  ctx: MemberCtx,
  { document_id }: Input<typeof replacements.ofDocument>,
): Promise<Reply<typeof replacements.ofDocument>> {
  await getReplaceable(ctx, document_id)
  const rows = await ctx.db
    .selectFrom('document_replacement')
    .selectAll()
    .where('document_id', '=', document_id)
    .orderBy('id', 'desc')
    .limit(latest)
    .execute()
  return { replacement: await presentReplacements(ctx, rows) }
}

/** Of a deleted document nothing is to be decided: they come back with it. */
async function listAll(
  ctx: Ctx,
  { status, ...input }: Input<typeof replacements.list>,
): Promise<Reply<typeof replacements.list>> {
  let query = ctx.db
    .selectFrom('document_replacement')
    .innerJoin('document', 'document.id', 'document_replacement.document_id')
    .selectAll('document_replacement')
    .where('document.deleted_at', 'is', null)
  if (status.length > 0) query = query.where('document_replacement.status', 'in', status)
  const { total, rows } = await listRows(query, input, {
    search: ['document_replacement.name', 'document_replacement.former_name'],
    order: [['document_replacement.id', 'desc']],
  })
  return { total, replacement: await presentReplacements(ctx, rows) }
}
