import { ContentType, ReviewStatus, Visibility } from '#shared/enums.ts'
import { type RawBuilder, sql } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import { type Ctx, transaction } from '../context.ts'
import { getEngine } from '../db/engine.ts'

/** A denormalized count, and the query that recounts it. */
interface Counter {
  what: string
  table: 'category' | 'user' | 'document' | 'article' | 'comment'
  column: string
  actual: RawBuilder<number>
}

export interface WrongCounter {
  counter: Counter
  id: number
  stored: number
  actual: number
}

const isShownDocument = sql`d.deleted_at is null and d.visibility = ${sql.lit(Visibility.Public)}
  and d.status in (${sql.join(publicStatuses.map((status) => sql.lit(status)))})`
const approved = sql.lit(ReviewStatus.Approved)
const isShownArticle = sql`a.deleted_at is null and a.status = ${approved}`
/** The rule of `comments.counts.ts`: the comment and the root of its thread are approved, the comment is not deleted. */
const shownComments = sql`comment as c inner join comment as r on r.id = c.root_id
  where c.status = ${approved} and c.is_deleted = 0 and r.status = ${approved}`
const owner = sql.ref('user.id')

const counters: readonly Counter[] = [
  counter(
    '分类的内容数',
    'category',
    'doc_count',
  )(sql<number>`case category.type
    when ${sql.lit(ContentType.Article)} then (select count(*) from article_category as l inner join article as a on a.id = l.article_id
      where l.category_id = category.id and ${isShownArticle})
    else (select count(*) from document_category as l inner join document as d on d.id = l.document_id
      where l.category_id = category.id and ${isShownDocument}) end`),
  counter(
    '用户的文档数',
    'user',
    'doc_count',
  )(sql<number>`(select count(*) from document as d where d.user_id = ${owner} and ${isShownDocument})`),
  counter(
    '用户的文章数',
    'user',
    'article_count',
  )(sql<number>`(select count(*) from article as a where a.user_id = ${owner} and ${isShownArticle})`),
  counter(
    '用户的收藏数',
    'user',
    'favorite_count',
  )(sql<number>`(select count(*) from favorite as f where f.user_id = ${owner})`),
  counter(
    '用户的评论数',
    'user',
    'comment_count',
  )(sql<number>`(select count(*) from ${shownComments} and c.user_id = ${owner})`),
  counter(
    '用户的余额（应等于流水之和）',
    'user',
    'credit_count',
  )(sql<number>`(select cast(coalesce(sum(e.amount), 0) as bigint) from credit_entry as e where e.user_id = ${owner})`),
  counter('文档的收藏数', 'document', 'favorite_count')(countFavorites('document', ContentType.Document)),
  counter('文章的收藏数', 'article', 'favorite_count')(countFavorites('article', ContentType.Article)),
  counter(
    '文章的点赞数',
    'article',
    'like_count',
  )(sql<number>`(select count(*) from article_like as l where l.article_id = article.id)`),
  counter('文档的评论数', 'document', 'comment_count')(countComments('document', ContentType.Document)),
  counter('文章的评论数', 'article', 'comment_count')(countComments('article', ContentType.Article)),
  counter(
    '评论的回复数',
    'comment',
    'comment_count',
  )(sql<number>`(select count(*) from ${shownComments} and c.parent_id = comment.id)`),
  counter(
    '文档的评分人数',
    'document',
    'score_count',
  )(sql<number>`(select count(*) from document_score as s where s.document_id = document.id)`),
  counter(
    '文档的评分',
    'document',
    'score',
  )(
    sql<number>`coalesce((select cast(sum(s.score) as bigint) / nullif(count(*), 0) from document_score as s
      where s.document_id = document.id), document.score)`,
  ),
]

const pageSize = 1000

export async function* findWrongCounters({ db }: Ctx): AsyncGenerator<WrongCounter> {
  for (const counter of counters) {
    const { table, column, actual } = counter
    for (let last = 0; ;) {
      const { rows } = await sql<{ id: number; stored: number; actual: number }>`
        select id, ${sql.ref(column)} as stored, ${actual} as actual from ${sql.table(table)}
        where id > ${last} order by id limit ${pageSize}`.execute(db)
      for (const row of rows) if (row.stored !== row.actual) yield { counter, ...row }
      if (rows.length < pageSize) break
      last = rows.at(-1)?.id ?? 0
    }
  }
}

/** The ledger alone cannot make a balance negative: the owner has to look into that. */
export function isRepairable({ counter, actual }: WrongCounter): boolean {
  return counter.column !== 'credit_count' || actual >= 0
}

/** Counts again while no other transaction changes the number. */
export async function repairCounter(ctx: Ctx, { counter, id }: WrongCounter): Promise<void> {
  const { table, column, actual } = counter
  await transaction(ctx, async ({ db }) => {
    // A transaction that counts at this moment has either changed the number (we wait for it) or changes it afterwards.
    if (getEngine(db) === 'postgres') await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${actual} where id = ${id}`.execute(db)
  })
}

function counter(what: string, table: Counter['table'], column: string) {
  return (actual: RawBuilder<number>): Counter => ({ what, table, column, actual })
}

function countFavorites(table: string, type: ContentType): RawBuilder<number> {
  return sql<number>`(select count(*) from favorite as f
    where f.type = ${sql.lit(type)} and f.document_id = ${sql.ref(`${table}.id`)})`
}

function countComments(table: string, type: ContentType): RawBuilder<number> {
  return sql<number>`(select count(*) from ${shownComments}
    and c.type = ${sql.lit(type)} and c.document_id = ${sql.ref(`${table}.id`)})`
}
