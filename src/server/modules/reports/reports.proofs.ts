import { Readable } from 'node:stream'
import type { reports } from '#shared/contract/reports.ts'
import type { Input } from '#shared/endpoint.ts'
import { AttachmentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { FileReply } from '#shared/fields.ts'
import type { Ctx } from '#server/context.ts'
import { openContent } from '#server/modules/attachments/attachments.store.ts'

const types: Record<string, string | undefined> = {
  '.pdf': 'application/pdf',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

/** A file that proves a report which still exists; browsers save it. */
export async function openProof(ctx: Ctx, { id }: Input<typeof reports.proof>): Promise<FileReply> {
  const proof = await ctx.db
    .selectFrom('attachment')
    .innerJoin('report', 'report.id', 'attachment.type_id')
    .select(['attachment.hash', 'attachment.name', 'attachment.ext'])
    .where('attachment.id', '=', id)
    .where('attachment.type', '=', AttachmentType.ReportProof)
    .where('attachment.deleted_at', 'is', null)
    .executeTakeFirst()
  const body = proof && (await openContent(ctx, proof.hash))
  if (!body) throw errors.reports.proofMissing()
  return {
    name: proof.name,
    type: types[proof.ext] ?? 'application/octet-stream',
    body: Readable.toWeb(body) as ReadableStream<Uint8Array>,
  }
}
