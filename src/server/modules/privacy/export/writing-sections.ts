import { batch, type Section, text, time } from './section.ts'

/** Each text may be long. */
const textBatch = batch / 10

/** What a member writes besides what is published, and likes. */
export const writingSections: readonly Section[] = [
  {
    name: 'article-drafts',
    title: '文章草稿',
    columns: { 标题: text('title'), 开始时间: time('created_at'), 最近修改: time('updated_at') },
    read: (db, userId, after) =>
      db
        .selectFrom('article_draft')
        .select(['id', 'article_id', 'title', 'keywords', 'description', 'cover', 'content'])
        .select(['created_at', 'updated_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(textBatch)
        .execute(),
  },
  {
    name: 'article-versions',
    title: '文章的历史版本',
    columns: { 标题: text('title'), 保存时间: time('created_at') },
    read: (db, userId, after) =>
      db
        .selectFrom('article_version')
        .select(['id', 'article_id', 'title', 'keywords', 'description', 'cover', 'content', 'created_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(textBatch)
        .execute(),
  },
  {
    name: 'article-likes',
    title: '点赞的文章',
    columns: { 标题: text('title'), 时间: time('created_at') },
    read: (db, userId, after) =>
      db
        .selectFrom('article_like')
        .leftJoin('article', 'article.id', 'article_like.article_id')
        .select(['article_like.id', 'article_like.article_id', 'article.title', 'article_like.created_at'])
        .where('article_like.user_id', '=', userId)
        .where('article_like.id', '>', after)
        .orderBy('article_like.id')
        .limit(batch)
        .execute(),
  },
]
