import type { PublishedEntry, PublishedTopic, TopicEntry, topics } from '#shared/contract/topics.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { bit } from '#server/db/tables/column.ts'
import { presentArticles } from '#server/modules/articles/articles.present.ts'
import { findPublicArticles, type ListedArticle } from '#server/modules/articles/articles.queries.ts'
import { presentDocuments } from '#server/modules/documents/documents.present.ts'
import { type DocumentRow, findListedDocuments } from '#server/modules/documents/documents.queries.ts'
import { findEntries } from './topics.queries.ts'

/** In place of a cover picture. */
const coverDocuments = 3

/** Topics in their order; new ones first where staff have not ordered them. */
export const topicOrder = [
  ['sort', 'desc'],
  ['id', 'desc'],
] as const

/** Only what the viewer may see is counted and shown. */
export async function listPublished(
  ctx: Ctx,
  input: Input<typeof topics.published>,
): Promise<Reply<typeof topics.published>> {
  const { total, rows } = await listRows(
    ctx.db.selectFrom('topic').selectAll().where('enable', '=', bit(true)),
    { ...input, wd: '', order: '' },
    { order: topicOrder, sizes: { min: 1, max: 60, default: 24 } },
  )
  const entries = await findEntries(
    ctx.db,
    rows.map(({ id }) => id),
  )
  const visible = await findVisible(ctx, [...entries.values()].flat())
  const shown = rows.map((row) => ({ row, entries: (entries.get(row.id) ?? []).filter(visible.has) }))
  const covers = shown.map(({ row, entries }) =>
    (row.cover ? [] : entries.flatMap(visible.documentOf)).slice(0, coverDocuments),
  )
  const presented = await presentDocuments(ctx, [...new Map(covers.flat().map((row) => [row.id, row])).values()])
  const byId = new Map(presented.map((document) => [document.id, document]))
  return {
    total,
    topic: shown.map(({ row, entries }, index) => ({
      ...present(row, entries.length),
      document: (covers[index] ?? []).flatMap(({ id }) => byId.get(id) ?? []),
    })),
  }
}

/** Staff who manage topics read drafts too. */
export async function readTopic(ctx: Ctx, { id }: Input<typeof topics.read>): Promise<Reply<typeof topics.read>> {
  const row = await ctx.db.selectFrom('topic').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || (row.enable === bit(false) && !ctx.viewer.can('TopicAPI/ListTopic'))) throw errors.topics.notFound()
  const entries = (await findEntries(ctx.db, [id])).get(id) ?? []
  const visible = await findVisible(ctx, entries)
  const shown = entries.filter(visible.has)
  const [documents, articles] = await Promise.all([
    presentDocuments(ctx, shown.flatMap(visible.documentOf)),
    presentArticles(ctx, shown.flatMap(visible.articleOf)),
  ])
  const documentById = new Map(documents.map((document) => [document.id, document]))
  const articleById = new Map(articles.map((article) => [article.id, article]))
  const published: PublishedEntry[] = shown.map(({ type, id, note }) =>
    type === ContentType.Article
      ? { note, document: null, article: articleById.get(id) ?? null }
      : { note, document: documentById.get(id) ?? null, article: null },
  )
  return { ...present(row, published.length), entries: published }
}

async function findVisible(ctx: Ctx, entries: readonly TopicEntry[]) {
  const idsOf = (wanted: ContentType) => [...new Set(entries.flatMap(({ type, id }) => (type === wanted ? [id] : [])))]
  const [documents, articles] = await Promise.all([
    findListedDocuments(ctx, idsOf(ContentType.Document)),
    findPublicArticles(ctx.db, idsOf(ContentType.Article)),
  ])
  const documentById = new Map(documents.map((row) => [row.id, row]))
  const articleById = new Map(articles.map((row) => [row.id, row]))
  return {
    has: ({ type, id }: TopicEntry): boolean => (type === ContentType.Article ? articleById : documentById).has(id),
    documentOf: ({ type, id }: TopicEntry): DocumentRow[] => pick(type === ContentType.Document, documentById.get(id)),
    articleOf: ({ type, id }: TopicEntry): ListedArticle[] => pick(type === ContentType.Article, articleById.get(id)),
  }
}

function pick<T>(isOfType: boolean, row: T | undefined): T[] {
  return isOfType && row ? [row] : []
}

function present(
  { id, title, summary, cover, updated_at }: Omit<PublishedTopic, 'count'>,
  count: number,
): PublishedTopic {
  return { id, title, summary, cover, updated_at, count }
}
