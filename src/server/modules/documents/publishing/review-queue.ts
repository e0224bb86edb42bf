import { sql } from 'kysely'
import type { documents } from '#shared/contract/documents.ts'
import type { ReviewQueue } from '#shared/contract/review.ts'
import { DocumentStatus, toWireStatus } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { listQueue } from '#server/db/list.ts'
import { findContributor } from '#server/modules/users/contributor.ts'
import { findUsernames } from '#server/modules/users/users.queries.ts'
import { presentDocuments } from '../documents.present.ts'
import { findDocument, type DocumentRow } from '../documents.queries.ts'

const maxDuplicates = 5

export function listPendingDocuments(
  ctx: Ctx,
  { after, user_id }: Input<typeof documents.reviewQueue>,
): Promise<ReviewQueue> {
  return listQueue(selectPending(ctx, user_id).where('id', '>', after))
}

/** The documents in review of one author; 0 stands for all authors. */
function selectPending({ db }: Ctx, userId: number) {
  const pending = db
    .selectFrom('document')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('status', '=', sql.lit(DocumentStatus.InReview))
  return userId > 0 ? pending.where('user_id', '=', userId) : pending
}

/** Whatever its status: the desk tells the reviewer if another one has decided already. */
export async function getDocumentForReview(
  ctx: Ctx,
  { id }: Input<typeof documents.reviewItem>,
): Promise<Reply<typeof documents.reviewItem>> {
  const row = await findDocument(ctx.db, { id })
  if (!row || row.deleted_at !== null) throw errors.documents.notFound()
  const [[document], duplicate, contributor] = await Promise.all([
    presentDocuments(ctx, [row]),
    findDuplicates(ctx.db, row),
    findContributor(ctx, row.user_id, {
      approved: ({ doc_count }) => doc_count,
      rejections: rejectionsOf(ctx.db, row.user_id),
      pending: selectPending(ctx, row.user_id),
    }),
  ])
  if (!document) throw errors.documents.notFound()
  return { document, duplicate, is_banned: await isBanned(ctx.db, row), contributor }
}

/** Staff have switched off an upload of the same content. */
async function isBanned(db: Db, { hash }: DocumentRow): Promise<boolean> {
  const row = await db
    .selectFrom('attachment')
    .select('id')
    .where('hash', '=', hash)
    .where('enable', '=', 0)
    .executeTakeFirst()
  return row !== undefined
}

/** Documents that were refused before come first. */
async function findDuplicates(db: Db, { id, hash }: DocumentRow) {
  const rows = await db
    .selectFrom('document')
    .select(['id', 'uuid', 'title', 'status', 'user_id', 'reject_reason as reason'])
    .where('hash', '=', hash)
    .where('id', '<>', id)
    .where('deleted_at', 'is', null)
    .orderBy((eb) =>
      eb.case().when('status', 'in', [DocumentStatus.Rejected, DocumentStatus.Disabled]).then(0).else(1).end(),
    )
    .orderBy('id', 'desc')
    .limit(maxDuplicates)
    .execute()
  const usernames = await findUsernames(
    db,
    rows.map(({ user_id }) => user_id),
  )
  return rows.map(({ user_id, status, ...row }) => ({
    ...row,
    status: toWireStatus(status),
    username: usernames.get(user_id) ?? '',
  }))
}

function rejectionsOf(db: Db, userId: number) {
  return db
    .selectFrom('document')
    .select(['title', 'reject_reason as reason', 'updated_at as at'])
    .where('user_id', '=', userId)
    .where('status', '=', DocumentStatus.Rejected)
    .where('deleted_at', 'is', null)
}
