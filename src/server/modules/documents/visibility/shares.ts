import type { Selectable } from 'kysely'
import type { documentShares, Share } from '#shared/contract/document-shares.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { Visibility } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { Tables } from '#server/db/tables.ts'
import { hashPassword } from '#server/modules/auth/passwords.ts'
import { owns } from '../documents.policy.ts'
import { type DocumentRow, findDocument } from '../documents.queries.ts'

export type ShareRow = Selectable<Tables['document_share']>

const maxLive = 50
const maxListed = 100

export async function listShares(
  ctx: MemberCtx,
  { document_id }: Input<typeof documentShares.list>,
): Promise<Reply<typeof documentShares.list>> {
  await getOwn(ctx, document_id)
  const rows = await ctx.db
    .selectFrom('document_share')
    .selectAll()
    .where('document_id', '=', document_id)
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute()
  return { share: rows.map((row) => present(ctx, row)) }
}

export async function createShare(
  ctx: MemberCtx,
  { document_id, password, ends_at, downloads }: Input<typeof documentShares.create>,
): Promise<Share> {
  const { visibility } = await getOwn(ctx, document_id)
  if (visibility !== Visibility.Link) throw errors.shares.notByLink()
  if (ends_at !== null && ends_at <= ctx.now()) throw errors.shares.endPast().at('ends_at')
  const hash = password === '' ? '' : await hashPassword(password)
  return transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'document', [document_id])
    const live = await ctx.db
      .selectFrom('document_share')
      .select('id')
      .where('document_id', '=', document_id)
      .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', ctx.now())]))
      .limit(maxLive)
      .execute()
    if (live.length === maxLive) throw errors.shares.tooMany(maxLive)
    const row = await ctx.db
      .insertInto('document_share')
      .values({
        document_id,
        user_id: ctx.viewer.id,
        token: ctx.id(),
        password: hash,
        ends_at,
        downloads_left: downloads ?? null,
        created_at: ctx.now(),
        updated_at: ctx.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return present(ctx, row)
  })
}

/** What these links have opened is closed with the next request. */
export async function endShares(ctx: MemberCtx, { id }: Input<typeof documentShares.end>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const rows = await ctx.db.selectFrom('document_share').select(['id', 'document_id']).where('id', 'in', id).execute()
    for (const documentId of new Set(rows.map(({ document_id }) => document_id))) await getOwn(ctx, documentId)
    await ctx.db
      .updateTable('document_share')
      .set({ ends_at: ctx.now(), updated_at: ctx.now() })
      .where('id', 'in', [0, ...rows.map((row) => row.id)])
      .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', ctx.now())]))
      .execute()
  })
}

/** Counts a download by a link, in the download's transaction: of several at once, only as many pass as are left. */
export async function takeSharedDownload({ db }: Ctx, id: number): Promise<void> {
  const row = await db
    .updateTable('document_share')
    .set((eb) => ({ downloads_left: eb('downloads_left', '-', 1), download_count: eb('download_count', '+', 1) }))
    .where('id', '=', id)
    .where((where) => where.or([where('downloads_left', 'is', null), where('downloads_left', '>', 0)]))
    .returning('id')
    .executeTakeFirst()
  if (!row) throw errors.shares.usedUp()
}

export function isEnded({ now }: Pick<Ctx, 'now'>, { ends_at }: Pick<ShareRow, 'ends_at'>): boolean {
  return ends_at !== null && ends_at <= now()
}

/** What is left of its downloads, as the wire has it. */
export function presentDownloads({ downloads_left }: Pick<ShareRow, 'downloads_left'>) {
  return { is_limited: downloads_left !== null, downloads_left: downloads_left ?? 0 }
}

function present(ctx: Pick<Ctx, 'now'>, row: ShareRow): Share {
  const { id, document_id, token, ends_at, download_count, created_at } = row
  return {
    id,
    document_id,
    token,
    ends_at,
    download_count,
    created_at,
    has_password: row.password !== '',
    is_ended: isEnded(ctx, row),
    ...presentDownloads(row),
  }
}

/** A document whose links the viewer may manage. To others, documents that they do not own are not there. */
async function getOwn({ db, viewer }: MemberCtx, id: number): Promise<DocumentRow> {
  const row = await findDocument(db, { id })
  const isAllowed = row && (owns(viewer, row) || viewer.can('DocumentAPI/UpdateDocument'))
  if (!row || row.deleted_at !== null || !isAllowed) throw errors.documents.notFound()
  return row
}
