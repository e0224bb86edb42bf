import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { ReviewStatus } from '../enums.ts'
import {
  byId,
  byIds,
  code,
  count,
  few,
  flag,
  id,
  ids,
  listInput,
  many,
  none,
  or,
  page,
  period,
  text,
  unsetTime,
} from '../fields.ts'
import { contentSource, contentSourceInput } from './content-source.ts'
import { Contributor, queueInput, ReviewQueue } from './review.ts'
import { PublicUser } from './user.ts'

/** Of the HTML, before it is sanitized. */
export const maxArticleLength = 1_000_000

/** A million Chinese characters in UTF-8, and the rest of the form. */
export const bodyLimit = 4 * 1024 * 1024

const status = code(ReviewStatus)
const ArticleCategory = z.object({ id, title: z.string(), parent_id: count() })

export const Article = z.object({
  id,
  /** Part of its address. */
  identifier: z.string(),
  title: z.string(),
  keywords: z.string(),
  description: z.string(),
  /** Sanitized HTML; empty in lists. */
  content: z.string(),
  /** What its author has chosen, or else the first picture in it; may be empty. */
  cover: z.string(),
  ...contentSource,
  author: z.string(),
  user_id: count(),
  user: PublicUser,
  status,
  /** For its author and the staff. */
  reject_reason: z.string(),
  category_id: z.array(id),
  category: z.array(ArticleCategory),
  view_count: count(),
  favorite_count: count(),
  comment_count: count(),
  like_count: count(),
  recommend_at: unsetTime,
  deleted_at: unsetTime,
  created_at: unsetTime,
  updated_at: unsetTime,
})
export type Article = z.output<typeof Article>

export const articleFilters = {
  category_id: few(id),
  user_id: few(id),
  status: few(status),
  is_recommend: few(flag),
  created_at: period,
}

const facts = {
  title: text(255, 1),
  keywords: or(text(255), ''),
  description: or(text(1024), ''),
  content: or(z.string('请输入正文').check(z.maxLength(maxArticleLength, `正文最多 ${maxArticleLength} 个字符`)), ''),
  category_id: many(id),
  /** An uploaded picture, or one in the text; empty for the first one in the text. An edit without it keeps the cover. */
  cover: z.optional(text(2000)),
  /** The draft that this publishes: it is deleted. */
  draft_id: or(count(), 0),
  is_recommend: z.optional(flag),
  ...contentSourceInput,
}

const identifier = z
  .string('请输入标识')
  .check(z.trim(), z.regex(/^([a-z0-9][a-z0-9-]{0,63}|)$/i, '标识只能包含字母、数字和短横线，最多 64 个字符'))

/** Pages of the site itself, by identifier, that every site starts with: they have neither author nor counts nor comments. */
export const builtInIdentifiers = ['about', 'contact', 'agreement', 'copyright', 'feedback', 'help'] as const

export function isBuiltInPage(identifier: string): boolean {
  return builtInIdentifiers.some((builtIn) => builtIn === identifier)
}

export const articles = {
  list: get('/article/list', {
    summary: '文章列表，不带正文',
    access: 'public',
    shared: true,
    input: listInput(articleFilters),
    reply: page('article', Article),
  }),
  get: get('/article', {
    summary: '文章；按标识取时计一次浏览',
    access: 'public',
    input: z.object({ id: or(z.int(), 0), identifier: or(text(64), '') }),
    reply: Article,
  }),
  related: get('/article/related', {
    summary: '相关文章',
    access: 'public',
    shared: true,
    input: z.object({ identifier: text(64, 1) }),
    reply: z.object({ article: z.array(Article) }),
  }),
  create: post('/article', {
    summary: '发布文章；标识和来源只有管理人员能定',
    access: 'member',
    bodyLimit,
    input: z.object({ ...facts, identifier: or(identifier, '') }),
    reply: Article,
  }),
  update: put('/article', {
    summary: '修改文章；已通过的文章改后重新审核，来源只有管理人员能改',
    access: 'member',
    bodyLimit,
    staffMayActForOthers: true,
    input: z.object({ id, ...facts }),
    reply: none,
  }),
  delete: del('/article', {
    summary: '删除文章到回收站',
    access: 'member',
    staffMayActForOthers: true,
    input: byIds,
    reply: none,
  }),
  setCategory: put('/article/category', {
    summary: '批量修改分类',
    access: permission('ArticleAPI/SetArticlesCategory'),
    input: z.object({ article_id: ids, category_id: ids }),
    reply: none,
  }),
  recommend: put('/article/recommend', {
    summary: '推荐文章或取消推荐',
    access: permission('ArticleAPI/RecommendArticles'),
    input: z.object({ article_id: ids, is_recommend: or(flag, false) }),
    reply: none,
  }),
  review: put('/article/check', {
    summary: '审核文章：0 待审核，1 通过，2 不通过',
    access: permission('ArticleAPI/CheckArticles'),
    input: z.object({
      article_id: ids,
      status,
      // API clients misspell the key of the reason.
      rejeact_reason: or(text(2048), ''),
      reject_reason: or(text(2048), ''),
      /** Refuses the change of articles that have got another status since the reviewer saw them; empty for any. */
      from: many(status),
    }),
    reply: none,
  }),
  reviewQueue: get('/article/check/list', {
    summary: '待审核文章的编号，最早的在前',
    access: permission('ArticleAPI/CheckArticles'),
    input: queueInput,
    reply: ReviewQueue,
  }),
  reviewItem: get('/article/check', {
    summary: '审核一篇文章所需：文章、作者的记录',
    access: permission('ArticleAPI/CheckArticles'),
    input: byId,
    reply: z.object({ article: Article, contributor: Contributor }),
  }),
}

export const articleRecycle = {
  list: get('/article/recycle/list', {
    summary: '文章回收站',
    access: permission('ArticleAPI/ListRecycleArticle'),
    input: listInput(articleFilters),
    reply: page('article', Article),
  }),
  restore: post('/article/recycle/restore', {
    summary: '恢复文章',
    access: permission('ArticleAPI/RestoreRecycleArticle'),
    input: byIds,
    reply: none,
  }),
  delete: del('/article/recycle', {
    summary: '彻底删除文章',
    access: permission('ArticleAPI/DeleteRecycleArticle'),
    input: byIds,
    reply: none,
  }),
  empty: del('/article/recycle/empty', {
    summary: '清空文章回收站',
    access: permission('ArticleAPI/EmptyRecycleArticle'),
    input: none,
    reply: none,
  }),
}
