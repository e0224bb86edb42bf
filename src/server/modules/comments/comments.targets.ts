import { ReviewStatus, ContentType, type Visibility } from '#shared/enums.ts'
import { type ExpressionBuilder, sql } from 'kysely'
import { type DocumentStatus, publicStatuses } from '#shared/document-status.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, Viewer } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { canSee as canSeeArticle, seesUnpublished } from '#server/modules/articles/articles.policy.ts'
import { seesUnpublished as seesUnpublishedDocuments } from '#server/modules/documents/documents.policy.ts'
import { filterVisible as filterDocuments, isOpenTo } from '#server/modules/documents/visibility/visibility.policy.ts'

/** The document or article that a comment belongs to. */
export interface TargetRef {
  type: ContentType
  document_id: number
}

interface TargetFields {
  id: number
  title: string
  /** A document's uuid or an article's identifier. */
  uuid: string
  /** Its page. */
  href: string
  user_id: number
  comment_count: number
  deleted_at: number | null
}

export type Target = TargetFields &
  (
    | { type: typeof ContentType.Document; status: DocumentStatus; visibility: Visibility }
    | { type: typeof ContentType.Article; status: ReviewStatus }
  )

/** For viewers who may see it; for all others it does not exist. */
export async function getTarget(ctx: Ctx, ref: TargetRef): Promise<Target> {
  const targetOf = await findVisibleTargets(ctx, [ref])
  const target = targetOf(ref)
  if (target) return target
  throw ref.type === ContentType.Article ? errors.articles.notFound() : errors.documents.notFound()
}

/** The targets that the viewer may see. */
export async function filterVisible<R extends TargetRef>(ctx: Ctx, refs: readonly R[]): Promise<R[]> {
  const targetOf = await findVisibleTargets(ctx, refs)
  return refs.filter((ref) => targetOf(ref) !== undefined)
}

/** A lookup for those of these targets that the viewer may see. */
export async function findVisibleTargets(
  ctx: Ctx,
  refs: readonly TargetRef[],
): Promise<(ref: TargetRef) => Target | undefined> {
  const targetOf = await findTargets(ctx.db, refs)
  const targets = refs.flatMap((ref) => targetOf(ref) ?? [])
  const documents = targets.filter((target) => target.type === ContentType.Document)
  const visible = new Set<Target>([
    ...(await filterDocuments(ctx, documents)),
    ...targets.filter((target) => target.type === ContentType.Article && canSeeArticle(ctx.viewer, target)),
  ])
  return (ref) => {
    const target = targetOf(ref)
    return target && visible.has(target) ? target : undefined
  }
}

/** A lookup for these targets, whatever their status: at most two queries. */
export async function findTargets(db: Db, refs: readonly TargetRef[]): Promise<(ref: TargetRef) => Target | undefined> {
  const [documents, articles] = await Promise.all([
    findDocuments(db, idsOfType(refs, ContentType.Document)),
    findArticles(db, idsOfType(refs, ContentType.Article)),
  ])
  return ({ type, document_id }) => (type === ContentType.Article ? articles : documents).get(document_id)
}

/** Locks targets until the transaction ends, so that changes to their comments are serialized. */
export async function lockTargets(ctx: Ctx, refs: readonly TargetRef[]): Promise<void> {
  await lockRows(ctx, 'document', idsOfType(refs, ContentType.Document))
  await lockRows(ctx, 'article', idsOfType(refs, ContentType.Article))
}

/**
 * `canSee` of the comment's document or article, as a condition for lists. One `case` expression, evaluated row by row: with
 * two conditions joined by `or`, databases would first collect all comments of either kind.
 */
export function hasVisibleTarget(viewer: Viewer, where: ExpressionBuilder<Tables, 'comment'>) {
  const document = where
    .selectFrom('document')
    .select(sql.lit(1).as('visible'))
    .whereRef('document.id', '=', 'comment.document_id')
    .where('document.deleted_at', 'is', null)
  const article = where
    .selectFrom('article')
    .select(sql.lit(1).as('visible'))
    .whereRef('article.id', '=', 'comment.document_id')
    .where('article.deleted_at', 'is', null)
  const publicDocument = document
    .where(isOpenTo(viewer))
    .where((where) =>
      where.or([where('document.status', 'in', [...publicStatuses]), where('document.user_id', '=', viewer.id || -1)]),
    )
  const publicArticle = article.where((where) =>
    where.or([where('article.status', '=', ReviewStatus.Approved), where('article.user_id', '=', viewer.id || -1)]),
  )
  const isVisible = where
    .case()
    .when('type', '=', ContentType.Article)
    .then(seesUnpublished(viewer) ? article : publicArticle)
    .else(seesUnpublishedDocuments(viewer) ? document : publicDocument)
    .end()
  return where(isVisible, '=', 1)
}

async function findDocuments(db: Db, ids: readonly number[]): Promise<Map<number, Target>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('document')
    .select(['id', 'title', 'uuid', 'user_id', 'status', 'visibility', 'comment_count', 'deleted_at'])
    .where(inList(db, 'id', ids))
    .execute()
  return new Map(rows.map((row) => [row.id, { ...row, type: ContentType.Document, href: `/document/${row.uuid}` }]))
}

async function findArticles(db: Db, ids: readonly number[]): Promise<Map<number, Target>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('article')
    .select(['id', 'title', 'identifier as uuid', 'user_id', 'status', 'comment_count', 'deleted_at'])
    .where(inList(db, 'id', ids))
    .execute()
  return new Map(rows.map((row) => [row.id, { ...row, type: ContentType.Article, href: `/article/${row.uuid}` }]))
}

function idsOfType(refs: readonly TargetRef[], type: ContentType): number[] {
  return [...new Set(refs.filter((ref) => ref.type === type).map(({ document_id }) => document_id))]
}
