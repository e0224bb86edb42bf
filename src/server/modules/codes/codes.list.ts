import type { codes } from '#shared/contract/codes.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { readDownloadCode } from '#shared/download-code.ts'
import type { Ctx } from '#server/context.ts'
import { listRows, matches, within } from '#server/db/list.ts'
import { hashCode, readIds } from './take-code.ts'

const sizes = { min: 1, max: 100, default: 20 }

export async function listBatches(ctx: Ctx, input: Input<typeof codes.list>): Promise<Reply<typeof codes.list>> {
  const { kind, created_at, wd, ...rest } = input
  let query = ctx.db
    .selectFrom('download_code_batch as batch')
    .leftJoin('user', 'user.id', 'batch.user_id')
    .selectAll('batch')
    .select('user.username')
    .where(within('batch.created_at', created_at))
  if (kind.length > 0) query = query.where('batch.kind', 'in', kind)
  if (wd) query = query.where(matches(['batch.note', 'user.username'], wd))
  const { total, rows } = await listRows(query, { ...rest, wd: '' }, { order: [['batch.id', 'desc']], sizes })
  const used = await countUsed(
    ctx,
    rows.map(({ id }) => id),
  )
  return {
    total,
    batch: rows.map(({ document_ids, username, ...row }) => ({
      ...row,
      username: username ?? '',
      document_id: readIds(document_ids),
      used_count: used.get(row.id) ?? 0,
    })),
  }
}

/** The newest first. A code that a member asks about is found by typing it. */
export async function listUsedCodes(ctx: Ctx, input: Input<typeof codes.used>): Promise<Reply<typeof codes.used>> {
  const { batch_id, user_id, used_at, wd, ...rest } = input
  let query = ctx.db
    .selectFrom('download_code as code')
    .innerJoin('download_code_batch as batch', 'batch.id', 'code.batch_id')
    .leftJoin('user', 'user.id', 'code.user_id')
    .leftJoin('order', 'order.id', 'code.order_id')
    .select(['code.id', 'code.batch_id', 'code.user_id', 'code.used_at', 'batch.kind', 'batch.note'])
    .select(['user.username', 'order.order_no', 'order.product_name', 'order.amount'])
    .where('code.used_at', 'is not', null)
    .where(within('code.used_at', used_at))
  if (batch_id.length > 0) query = query.where('code.batch_id', 'in', batch_id)
  if (user_id.length > 0) query = query.where('code.user_id', 'in', user_id)
  const plain = readDownloadCode(wd)
  if (plain !== undefined) query = query.where('code.hash', '=', hashCode(ctx, plain))
  else if (wd) query = query.where(matches(['batch.note', 'user.username', 'order.order_no', 'order.product_name'], wd))
  const { total, rows } = await listRows(
    query,
    { ...rest, wd: '' },
    {
      order: [
        ['code.used_at', 'desc'],
        ['code.id', 'desc'],
      ],
      sizes,
    },
  )
  return {
    total,
    code: rows.map(({ username, order_no, product_name, amount, ...row }) => ({
      ...row,
      username: username ?? '',
      order_no: order_no ?? '',
      product_name: product_name ?? '',
      amount: amount ?? 0,
    })),
  }
}

async function countUsed({ db }: Ctx, batches: number[]): Promise<Map<number, number>> {
  if (batches.length === 0) return new Map()
  const rows = await db
    .selectFrom('download_code')
    .select((eb) => ['batch_id', eb.fn.countAll().as('used')])
    .where('batch_id', 'in', batches)
    .where('used_at', 'is not', null)
    .groupBy('batch_id')
    .execute()
  return new Map(rows.map(({ batch_id, used }) => [batch_id, Number(used)]))
}
