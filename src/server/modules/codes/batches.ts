import { randomInt } from 'node:crypto'
import { creditName } from '#shared/credit-name.ts'
import { createDownloadCode, readDownloadCode } from '#shared/download-code.ts'
import type { codes } from '#shared/contract/codes.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { DownloadCodeKind, downloadCodeKindLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { recordOutlay, toFen } from '#server/modules/outlays/outlays.ts'
import { hashCode } from './take-code.ts'

const insertSize = 1000

/** The codes are in this reply and nowhere else: only their hashes are kept. */
export async function createBatch(
  ctx: MemberCtx,
  { document_id, ...input }: Input<typeof codes.create>,
): Promise<Reply<typeof codes.create>> {
  const { kind, count, note, valid_from, valid_until } = input
  if (valid_from !== null && valid_until !== null && valid_until <= valid_from) throw errors.schedule.backward()
  if (kind === DownloadCodeKind.Credits && input.credits === 0)
    throw errors.codes.creditsNeeded(creditName(ctx.settings))
  const documents = kind === DownloadCodeKind.NamedDocuments ? [...new Set(document_id)] : []
  if (kind === DownloadCodeKind.NamedDocuments) await assertDocuments(ctx, documents)
  const created = Array.from({ length: count }, () => createDownloadCode(randomInt))
  return transaction(ctx, async (ctx) => {
    const worth = await findWorth(ctx, { ...input, document_id: documents })
    const title = `生成 ${count} 个下载码（${downloadCodeKindLabels[kind]}，每个值 ${worth} ${creditName(ctx.settings)}）${note && `：${note}`}`
    await recordOutlay(ctx, { act: 'createCodes', fen: count * toFen(ctx, worth), title })
    const { id } = await ctx.db
      .insertInto('download_code_batch')
      .values({
        kind,
        count,
        note,
        valid_from,
        valid_until,
        max_price: kind === DownloadCodeKind.AnyDocument ? input.max_price : 0,
        document_ids: documents.join(','),
        credits: kind === DownloadCodeKind.Credits ? input.credits : 0,
        user_id: ctx.viewer.id,
        created_at: ctx.now(),
        updated_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rows = created.map((code) => ({ batch_id: id, hash: hashCode(ctx, readDownloadCode(code) ?? '') }))
    for (let at = 0; at < rows.length; at += insertSize)
      await ctx.db
        .insertInto('download_code')
        .values(rows.slice(at, at + insertSize))
        .execute()
    ctx.audit?.({ ids: [id], change: `${count} 个，${downloadCodeKindLabels[kind]}${note && `：${note}`}` })
    return { id, code: created }
  })
}

/** Its codes cannot be used any more; those that were used stay as they are. */
export async function voidBatch({ db, now }: Ctx, { id }: Input<typeof codes.void>): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('download_code_batch')
    .set({ voided_at: now(), updated_at: now() })
    .where('id', '=', id)
    .where('voided_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw errors.codes.voidedAlready()
}

/** Only as long as none of its codes was used: used ones belong to the accounts. */
export async function deleteBatches(ctx: Ctx, { id: ids }: Input<typeof codes.delete>): Promise<void> {
  await transaction(ctx, async ({ db }) => {
    await db.deleteFrom('download_code').where('batch_id', 'in', ids).where('used_at', 'is', null).execute()
    const used = await db.selectFrom('download_code').select('id').where('batch_id', 'in', ids).executeTakeFirst()
    if (used) throw errors.codes.usedKept()
    await db.deleteFrom('download_code_batch').where('id', 'in', ids).execute()
  })
}

/** The most one code can be worth, in credits: without a limit, the price of the dearest document. */
async function findWorth({ db }: Ctx, { kind, credits, max_price, document_id }: Worth): Promise<number> {
  if (kind === DownloadCodeKind.Credits) return credits
  if (kind === DownloadCodeKind.AnyDocument && max_price > 0) return max_price
  let query = db
    .selectFrom('document')
    .select(({ fn }) => fn.max('price').as('price'))
    .where('deleted_at', 'is', null)
  if (kind === DownloadCodeKind.NamedDocuments) query = query.where('id', 'in', document_id)
  return (await query.executeTakeFirst())?.price ?? 0
}

type Worth = Pick<Input<typeof codes.create>, 'kind' | 'credits' | 'max_price' | 'document_id'>

async function assertDocuments({ db }: Ctx, ids: number[]): Promise<void> {
  if (ids.length === 0) throw errors.codes.documentsNeeded()
  const rows = await db
    .selectFrom('document')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0) throw errors.codes.documentUnknown(missing.slice(0, 5).join('、'))
}
