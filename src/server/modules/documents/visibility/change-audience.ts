import type { documents } from '#shared/contract/documents.ts'
import type { Input } from '#shared/endpoint.ts'
import { ContentType, Visibility, visibilityLabels } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { Db } from '#server/db/open.ts'
import { bit } from '#server/db/tables/column.ts'
import { recordPublications } from '#server/modules/catalog/publications.ts'
import { countDocuments } from '../documents.counts.ts'
import { isPublic } from '../documents.policy.ts'
import { assertOwnsAll } from '../publishing/delete.ts'

interface Audience {
  /** Without it, visibility and groups stay as they are. */
  visibility?: Visibility | undefined
  group_id: readonly number[]
  downloadable?: boolean | undefined
}

/** For owners, of all that they name or none; for staff, of any documents. */
export async function setVisibility(
  ctx: MemberCtx,
  { id, ...audience }: Input<typeof documents.setVisibility>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    if (!ctx.viewer.can('DocumentAPI/UpdateDocument')) await assertOwnsAll(ctx, id)
    await changeAudience(ctx, id, audience)
    ctx.audit?.({ ids: id, change: `可见范围: ${visibilityLabels[audience.visibility]}` })
  })
}

/**
 * The one place where the visibility of documents changes: counters follow, as they count what is for everyone, and pages in
 * every process's cache are dropped at once. Call it in a transaction, for documents that the viewer may change.
 */
export async function changeAudience(ctx: MemberCtx, ids: readonly number[], audience: Audience): Promise<void> {
  const { visibility, downloadable } = audience
  if (visibility === undefined && downloadable === undefined) return
  await lockRows(ctx, 'document', ids)
  const before = await ctx.db
    .selectFrom('document')
    .select(['id', 'status', 'visibility', 'deleted_at'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  if (before.length === 0) throw errors.documents.notFound()
  const changedIds = before.map((row) => row.id)
  await ctx.db
    .updateTable('document')
    .set({
      ...(visibility !== undefined && { visibility }),
      ...(downloadable !== undefined && { downloadable: bit(downloadable) }),
      updated_at: ctx.now(),
    })
    .where('id', 'in', changedIds)
    .execute()
  if (visibility !== undefined) {
    const groups = await resolveGroups(ctx, { ...audience, visibility }, changedIds)
    await ctx.db.deleteFrom('document_group').where('document_id', 'in', changedIds).execute()
    await linkGroups(ctx.db, changedIds, groups)
    const isCountedAfter = (row: (typeof before)[number]) => isPublic({ ...row, visibility })
    const idsOf = (rows: typeof before) => rows.map(({ id }) => id)
    await countDocuments(ctx.db, idsOf(before.filter((row) => isPublic(row) && !isCountedAfter(row))), -1)
    const published = idsOf(before.filter((row) => !isPublic(row) && isCountedAfter(row)))
    await countDocuments(ctx.db, published, 1)
    await recordPublications(ctx, ContentType.Document, published)
  }
  ctx.emit('document.changed', { ids: changedIds })
  // A hidden document must not stay in cached pages, which are dropped with a delay when a document changes.
  if (before.some((row) => row.visibility !== (visibility ?? row.visibility))) ctx.emit('site.changed', {})
}

/** The groups that documents are for: ones that the viewer may know of, or that the documents are for already. */
export async function resolveGroups(
  { db, viewer }: MemberCtx,
  { visibility, group_id }: { visibility: Visibility; group_id: readonly number[] },
  documentIds: readonly number[] = [],
): Promise<number[]> {
  if (visibility !== Visibility.Groups) return []
  const ids = [...new Set(group_id)]
  if (ids.length === 0) throw errors.documents.groupsNeeded()
  const present = await db
    .selectFrom('document_group')
    .select('group_id')
    .where('document_id', 'in', [0, ...documentIds])
    .where('group_id', 'in', ids)
    .execute()
  const known = new Set([...viewer.groups.map(({ id }) => id), ...present.map((row) => row.group_id)])
  const rows = await db.selectFrom('group').select(['id', 'is_display']).where('id', 'in', ids).execute()
  const usable = rows.filter(({ id, is_display }) => is_display === 1 || viewer.isStaff || known.has(id))
  if (usable.length < ids.length) throw errors.documents.groupUnknown()
  return ids
}

/** Shows documents to groups. */
export async function linkGroups(db: Db, documentIds: readonly number[], groupIds: readonly number[]): Promise<void> {
  const rows = documentIds.flatMap((document_id) => groupIds.map((group_id) => ({ document_id, group_id })))
  for (let start = 0; start < rows.length; start += parameterBatch)
    await db
      .insertInto('document_group')
      .values(rows.slice(start, start + parameterBatch))
      .execute()
}

/** Both databases take this many rows in one statement. */
const parameterBatch = 5000
