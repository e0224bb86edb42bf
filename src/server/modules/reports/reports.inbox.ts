import { type Selectable, sql } from 'kysely'
import type { InboxEntry, InboxReport, reports } from '#shared/contract/reports.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { AttachmentType } from '#shared/enums.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { listRows, matches } from '#server/db/list.ts'
import type { Tables } from '#server/db/tables.ts'
import { bit } from '#server/db/tables/column.ts'
import { documentColumns } from '#server/db/tables/documents.ts'
import { presentDocuments } from '#server/modules/documents/documents.present.ts'
import { findUsernames } from '#server/modules/users/users.queries.ts'

type Row = Selectable<Tables['report']>

const sizes = { min: 1, max: 100, default: 10 }
const maxReports = 50

/** One entry for each document, with its reports. */
export async function listInbox(
  ctx: MemberCtx,
  { status, reason, wd, ...input }: Input<typeof reports.inbox>,
): Promise<Reply<typeof reports.inbox>> {
  const isOpen = sql<number>`count(case when status = ${bit(false)} then 1 end)`
  let query = ctx.db
    .selectFrom('report')
    .select(({ fn }) => [
      'document_id as id',
      fn.countAll<number>().as('report_count'),
      isOpen.as('open_count'),
      fn.min('id').as('first_id'),
      fn.max('updated_at').as('changed_at'),
    ])
    .groupBy('document_id')
  // A document is found by any of its reports, and shown with all of them.
  const found = ctx.db.selectFrom('report').select('document_id')
  if (reason.length > 0) query = query.where('document_id', 'in', found.where('reason', 'in', reason))
  if (wd) query = query.where('document_id', 'in', found.where(matches(['document_title'], wd)))
  const [only] = status.length === 1 ? status : []
  if (only !== undefined) query = query.having(isOpen, only ? '=' : '>', 0)
  const { total, rows } = await listRows(
    ctx.db.selectFrom(query.as('entry')).selectAll(),
    { ...input, wd: '' },
    {
      order: only
        ? [
            ['changed_at', 'desc'],
            ['id', 'desc'],
          ]
        : [
            ['open_count', 'desc'],
            ['first_id', 'asc'],
          ],
      sizes,
    },
  )
  const ids = rows.map(({ id }) => id)
  const [documents, reportsOf] = await Promise.all([findDocuments(ctx, ids), findReports(ctx, ids)])
  const entry = rows.map(({ id, report_count, open_count }): InboxEntry => {
    const { title = '', reports = [] } = reportsOf.get(id) ?? {}
    return { id, title, document: documents.get(id) ?? null, report_count, open_count, report: reports }
  })
  return { total, entry }
}

async function findDocuments(ctx: Ctx, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, NonNullable<InboxEntry['document']>>()
  const rows = await ctx.db.selectFrom('document').select(documentColumns).where('id', 'in', ids).execute()
  const documents = await presentDocuments(ctx, rows)
  return new Map(
    documents.map(({ id, deleted_at, ...document }) => [id, { ...document, is_deleted: deleted_at !== null }]),
  )
}

async function findReports(ctx: MemberCtx, documentIds: readonly number[]) {
  if (documentIds.length === 0) return new Map<number, { title: string; reports: InboxReport[] }>()
  const ranked = ctx.db
    .selectFrom('report')
    .selectAll()
    .select(sql<number>`row_number() over (partition by document_id order by status, id desc)`.as('place'))
    .where('document_id', 'in', documentIds)
  const rows = await ctx.db
    .selectFrom(ranked.as('report'))
    .selectAll()
    .where('place', '<=', maxReports)
    .orderBy('place')
    .execute()
  const mayHandle = ctx.viewer.can('ReportAPI/UpdateReport')
  const [proofs, names] = await Promise.all([
    mayHandle
      ? findProofs(
          ctx,
          rows.map(({ id }) => id),
        )
      : new Map<number, InboxReport['proof']>(),
    findUsernames(
      ctx.db,
      rows.map(({ handled_user_id }) => handled_user_id),
    ),
  ])
  const present = (row: Row): InboxReport => ({
    ...row,
    status: row.status === bit(true),
    contact: mayHandle ? row.contact : '',
    proof: proofs.get(row.id) ?? [],
    handled_by: names.get(row.handled_user_id) ?? '',
  })
  const byDocument = Map.groupBy(rows, ({ document_id }) => document_id)
  return new Map([...byDocument].map(([id, rows]) => [id, { title: firstTitle(rows), reports: rows.map(present) }]))
}

function firstTitle(rows: readonly Row[]): string {
  return rows.toSorted((a, b) => a.id - b.id)[0]?.document_title ?? ''
}

async function findProofs({ db }: Ctx, reportIds: readonly number[]): Promise<Map<number, InboxReport['proof']>> {
  const rows = await db
    .selectFrom('attachment')
    .select(['id', 'name', 'ext', 'size', 'type_id'])
    .where('type', '=', AttachmentType.ReportProof)
    .where('type_id', 'in', [0, ...reportIds])
    .where('type_id', '>', 0)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, ({ type_id }) => type_id)
}
