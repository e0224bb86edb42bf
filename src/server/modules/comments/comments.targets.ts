import { type ExpressionBuilder, sql } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, Viewer } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { canSee as canSeeArticle, judges } from '#server/modules/articles/articles.policy.ts'
import { holdDocuments } from '#server/modules/documents/documents.locks.ts'
import { canSee as canSeeDocument } from '#server/modules/documents/documents.policy.ts'
import { holdRows } from './comments.locks.ts'

/** What is commented: a document (type 0) or an article (type 1). */
export interface TargetName {
  type: number
  document_id: number
}

export interface Target {
  title: string
  /** A document's uuid or an article's identifier. */
  uuid: string
  /** Where it is read. */
  href: string
  user_id: number
  status: number
  comment_count: number
  deleted_at: number | null
}

/** For who may see it; for everybody else it does not exist. */
export async function getTarget(ctx: Ctx, name: TargetName): Promise<Target> {
  const target = (await targetsOf(ctx.db, [name]))(name)
  if (target && canSee(ctx.viewer, name.type, target)) return target
  throw name.type === 1 ? errors.articles.notFound() : errors.documents.notFound()
}

/** Of these, those that the viewer may see. */
export async function visibleTargets<N extends TargetName>({ db, viewer }: Ctx, names: readonly N[]): Promise<N[]> {
  const targetOf = await targetsOf(db, names)
  return names.filter((name) => {
    const target = targetOf(name)
    return target !== undefined && canSee(viewer, name.type, target)
  })
}

/** Whatever their state, for each name that was asked: at most two queries. */
export async function targetsOf(
  db: Db,
  names: readonly TargetName[],
): Promise<(name: TargetName) => Target | undefined> {
  const [documents, articles] = await Promise.all([documentsOf(db, idsOf(names, 0)), articlesOf(db, idsOf(names, 1))])
  return ({ type, document_id }) => (type === 1 ? articles : documents).get(document_id)
}

/** Holds what is commented until the transaction ends: whoever changes comments of the same does it one after the other. */
export async function holdTargets(ctx: Ctx, names: readonly TargetName[]): Promise<void> {
  await holdDocuments(ctx, idsOf(names, 0))
  await holdRows(ctx, 'article', idsOf(names, 1))
}

/**
 * That a comment belongs to what the viewer may see: `canSee` of documents and articles, for lists. Asked of each comment
 * as it comes along: told as two conditions, databases would first gather all comments of either kind.
 */
export function ofVisibleTarget(viewer: Viewer, where: ExpressionBuilder<Tables, 'comment'>) {
  const document = where
    .selectFrom('document')
    .select(sql.lit(1).as('seen'))
    .whereRef('document.id', '=', 'comment.document_id')
    .where('document.deleted_at', 'is', null)
  const article = where
    .selectFrom('article')
    .select(sql.lit(1).as('seen'))
    .whereRef('article.id', '=', 'comment.document_id')
    .where('article.deleted_at', 'is', null)
  const open = document.where((where) =>
    where.or([where('document.status', 'in', [...publicStatuses]), where('document.user_id', '=', viewer.id || -1)]),
  )
  const approved = article.where((where) =>
    where.or([where('article.status', '=', 1), where('article.user_id', '=', viewer.id || -1)]),
  )
  const seen = where
    .case()
    .when('type', '=', 1)
    .then(judges(viewer) ? article : approved)
    .else(viewer.can('DocumentAPI/ListDocument') ? document : open)
    .end()
  return where(seen, '=', 1)
}

function canSee(viewer: Viewer, type: number, target: Target): boolean {
  return type === 1 ? canSeeArticle(viewer, target) : canSeeDocument(viewer, target)
}

async function documentsOf(db: Db, ids: readonly number[]): Promise<Map<number, Target>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('document')
    .select(['id', 'title', 'uuid', 'user_id', 'status', 'comment_count', 'deleted_at'])
    .where(among(db, 'id', ids))
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, href: `/document/${row.uuid}` }]))
}

async function articlesOf(db: Db, ids: readonly number[]): Promise<Map<number, Target>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('article')
    .select(['id', 'title', 'identifier as uuid', 'user_id', 'status', 'comment_count', 'deleted_at'])
    .where(among(db, 'id', ids))
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, href: `/article/${row.uuid}` }]))
}

function idsOf(names: readonly TargetName[], type: number): number[] {
  return [...new Set(names.filter((name) => name.type === type).map(({ document_id }) => document_id))]
}
