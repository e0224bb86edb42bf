import { type Document, Document as DocumentShape, type documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { fill } from '#shared/wire.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { presentDocuments } from '../documents.present.ts'
import { publicDocuments } from '../documents.queries.ts'

const always: (keyof Document)[] = ['id', 'title', 'ext', 'uuid', 'pages', 'cover', 'attachment']
const most = { categories: 100, documents: 100, together: 1000 }

/** The newest documents of each root category, in the same few queries however many categories there are. */
export async function homeDocuments(
  ctx: Ctx,
  input: Input<typeof documents.home>,
): Promise<Reply<typeof documents.home>> {
  let categories = ctx.db
    .selectFrom('category')
    .select(['id', 'title', 'cover'])
    .where('parent_id', '=', 0)
    .where('type', '=', 0)
    .where('enable', '=', 1)
  if (input.most > 0) categories = categories.where('doc_count', '>', 0)
  const roots = await categories
    .orderBy('sort', 'desc')
    .orderBy('title')
    .orderBy('id')
    .limit(input.most || most.categories)
    .execute()
  const each = Math.min(most.documents, Math.floor(most.together / Math.max(1, roots.length)))
  const limit = Math.min(Math.max(input.limit || 5, 1), each)
  const newest = await newestIn(
    ctx.db,
    roots.map(({ id }) => id),
    limit,
  )
  const rows = await publicDocuments(ctx.db, [...new Set(newest.map(({ document_id }) => document_id))])
  const shown = new Map((await presentDocuments(ctx, rows)).map((document) => [document.id, document]))
  const chosen = Map.groupBy(newest, ({ category_id }) => category_id)
  const trim = trimmer(input.field)
  return {
    document: roots.map(({ id, title, cover }) => ({
      category_id: id,
      category_name: title,
      category_cover: cover,
      document: (chosen.get(id) ?? []).flatMap(({ document_id }) => shown.get(document_id) ?? []).map(trim),
    })),
  }
}

/** Each category is read from its newest document on, only as far as needed: that scales, a rank over all does not. */
async function newestIn(db: Db, categoryIds: readonly number[], limit: number) {
  const newest = (categoryId: number) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('document_category')
          .innerJoin('document', 'document.id', 'document_category.document_id')
          .select(['document_category.category_id', 'document_category.document_id'])
          .where('document_category.category_id', '=', categoryId)
          .where('document.status', '=', 2)
          .where('document.deleted_at', 'is', null)
          .orderBy('document_category.document_id', 'desc')
          .limit(limit)
          .as('newest'),
      )
      .selectAll()
  const [first, ...others] = categoryIds.map(newest)
  if (!first) return []
  return others.reduce((query, other) => query.unionAll(other), first).execute()
}

/** Leaves what a caller always needs and what it asked for. */
function trimmer(fields: readonly string[]): (document: Document) => Document {
  const wanted = new Set<string>([...always, ...fields])
  const blank = fill(DocumentShape, {}) as Document
  return (document) => ({
    ...blank,
    ...(Object.fromEntries(Object.entries(document).filter(([key]) => wanted.has(key))) as Partial<Document>),
  })
}
