import { DocumentStatus } from '#shared/document-status.ts'
import { ContentType } from '#shared/enums.ts'
import { type Document, Document as DocumentShape, type documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { fill } from '#shared/wire.ts'
import type { Ctx } from '#server/context.ts'
import { eachContentOnce } from '../documents.copies.ts'
import { presentDocuments } from '../documents.present.ts'
import { findListedDocuments } from '../documents.queries.ts'
import { isListedFor } from '../visibility/visibility.policy.ts'

const always: (keyof Document)[] = ['id', 'title', 'ext', 'uuid', 'pages', 'cover', 'attachment']
const max = { categories: 100, documents: 100 }

/** The newest documents of each root category, in a constant number of queries. */
export async function getHome(ctx: Ctx, input: Input<typeof documents.home>): Promise<Reply<typeof documents.home>> {
  let categories = ctx.db
    .selectFrom('category')
    .select(['id', 'title', 'cover', 'doc_count'])
    .where('parent_id', '=', 0)
    .where('type', '=', ContentType.Document)
    .where('enable', '=', 1)
  if (input.most > 0) categories = categories.where('doc_count', '>', 0)
  const roots = await categories
    .orderBy('sort', 'desc')
    .orderBy('title')
    .orderBy('id')
    .limit(input.most || max.categories)
    .execute()
  const perCategory = Math.floor(max.documents / Math.max(1, roots.filter(({ doc_count }) => doc_count > 0).length))
  const limit = Math.min(Math.max(input.limit || 5, 1), perCategory)
  const newest = await findNewest(
    ctx,
    roots.map(({ id }) => id),
    limit,
  )
  const rows = await findListedDocuments(ctx, [...new Set(newest.map(({ document_id }) => document_id))])
  const presented = new Map((await presentDocuments(ctx, rows)).map((document) => [document.id, document]))
  const byCategory = Map.groupBy(newest, ({ category_id }) => category_id)
  const pickFields = fieldPicker(input.field)
  return {
    document: roots.map(({ id, title, cover }) => ({
      category_id: id,
      category_name: title,
      category_cover: cover,
      document: (byCategory.get(id) ?? [])
        .flatMap(({ document_id }) => presented.get(document_id) ?? [])
        .map(pickFields),
    })),
  }
}

/** One limited query for each category, in a union: a window function over all documents would not scale. */
async function findNewest({ db, viewer }: Pick<Ctx, 'db' | 'viewer'>, categoryIds: readonly number[], limit: number) {
  const newest = (categoryId: number) =>
    db
      .selectFrom((eb) =>
        eachContentOnce(
          eb
            .selectFrom('document_category')
            .innerJoin('document', 'document.id', 'document_category.document_id')
            .select(['document_category.category_id', 'document_category.document_id'])
            .where('document_category.category_id', '=', categoryId)
            .where('document.status', '=', DocumentStatus.Converted)
            .where('document.deleted_at', 'is', null)
            .where(isListedFor(viewer)),
        )
          .orderBy('document_category.document_id', 'desc')
          .limit(limit)
          .as('newest'),
      )
      .selectAll()
  const [first, ...others] = categoryIds.map(newest)
  if (!first) return []
  return others.reduce((query, other) => query.unionAll(other), first).execute()
}

/** Keeps the fields that clients always need and those that were asked for. */
function fieldPicker(fields: readonly string[]): (document: Document) => Document {
  const wanted = new Set<string>([...always, ...fields])
  const blank = fill(DocumentShape, {}) as Document
  return (document) => ({
    ...blank,
    ...(Object.fromEntries(Object.entries(document).filter(([key]) => wanted.has(key))) as Partial<Document>),
  })
}
