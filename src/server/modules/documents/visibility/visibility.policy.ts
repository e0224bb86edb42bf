import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { Visibility } from '#shared/enums.ts'
import type { Ctx, Viewer, ViewerShare } from '#server/context.ts'
import { type DocumentAccess, isPublished, owns, seesUnpublished } from '../documents.policy.ts'

interface VisibleDocument extends DocumentAccess {
  id: number
}

type Access = Pick<Ctx, 'db' | 'viewer'>

/** Whether a viewer may know of a document. Documents in the recycle bin show nowhere else. */
export async function canSee(ctx: Access, document: VisibleDocument): Promise<boolean> {
  return (await filterVisible(ctx, [document])).length > 0
}

/** Those that the viewer may know of. `isListedFor` is the same rule as a condition for lists, but for share links. */
export async function filterVisible<D extends VisibleDocument>(
  { db, viewer }: Access,
  documents: readonly D[],
): Promise<D[]> {
  const forGroups = documents.filter((document) => document.visibility === Visibility.Groups && isPublished(document))
  const groupIds = viewer.groups.map(({ id }) => id)
  const rows =
    forGroups.length > 0 && groupIds.length > 0
      ? await db
          .selectFrom('document_group')
          .select('document_id')
          .where('group_id', 'in', groupIds)
          .where(
            'document_id',
            'in',
            forGroups.map(({ id }) => id),
          )
          .execute()
      : []
  const ofOwnGroups = new Set(rows.map(({ document_id }) => document_id))
  const isFor: Record<Visibility, (document: D) => boolean> = {
    [Visibility.Public]: () => true,
    [Visibility.Members]: () => viewer.id !== 0,
    [Visibility.Groups]: ({ id }) => ofOwnGroups.has(id),
    [Visibility.Private]: () => false,
    [Visibility.Link]: ({ id }) => viewer.shares.some(({ document_id }) => document_id === id),
  }
  return documents.filter((document) => {
    if (document.deleted_at !== null) return false
    if (owns(viewer, document) || seesUnpublished(viewer)) return true
    return isPublished(document) && isFor[document.visibility](document)
  })
}

/**
 * Whether a document shows in this viewer's lists and searches, by its visibility alone: conditions on its status stand
 * beside it. One expression over columns of the covering indexes, so that no index is chosen for it.
 */
export function isListedFor(viewer: Viewer): RawBuilder<SqlBool> {
  if (seesUnpublished(viewer)) return sql`1 = 1`
  const visibility = sql.ref('document.visibility')
  if (viewer.id === 0) return sql`${visibility} = ${sql.lit(Visibility.Public)}`
  const open = sql.join([Visibility.Public, Visibility.Members].map((code) => sql.lit(code)))
  const groupIds = viewer.groups.map(({ id }) => id)
  const ofOwnGroups = sql`${visibility} = ${sql.lit(Visibility.Groups)} and exists (select 1 from document_group
    where document_group.document_id = document.id and document_group.group_id in (${sql.join(groupIds)}))`
  const orOfOwnGroups = groupIds.length > 0 ? sql` or (${ofOwnGroups})` : sql``
  return sql`(${visibility} in (${open}) or ${sql.ref('document.user_id')} = ${viewer.id}${orOfOwnGroups})`
}

/** Also what a share link opens: for lists of what the viewer has chosen, such as favorites. */
export function isOpenTo(viewer: Viewer): RawBuilder<SqlBool> {
  if (viewer.shares.length === 0) return isListedFor(viewer)
  const shared = sql.join(viewer.shares.map(({ document_id }) => document_id))
  const isShared = sql`${sql.ref('document.visibility')} = ${sql.lit(Visibility.Link)} and document.id in (${shared})`
  return sql`(${isListedFor(viewer)} or (${isShared}))`
}

/** The share link that alone opens a document for a viewer; its downloads are counted. */
export function findShare(
  viewer: Viewer,
  document: Omit<VisibleDocument, 'status' | 'deleted_at'>,
): ViewerShare | undefined {
  if (document.visibility !== Visibility.Link || owns(viewer, document) || seesUnpublished(viewer)) return undefined
  return viewer.shares.find(({ document_id }) => document_id === document.id)
}
