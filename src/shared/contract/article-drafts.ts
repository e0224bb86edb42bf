import * as z from 'zod/mini'
import { del, get, put } from '../endpoint.ts'
import { byId, byIds, count, id, many, none, or, text, unsetTime } from '../fields.ts'
import { bodyLimit, maxArticleLength } from './articles.ts'

/** More than anyone writes at the same time. */
export const maxDrafts = 50

const DraftItem = z.object({
  id,
  /** The article that is edited; 0 for a new one. */
  article_id: count(),
  /** Of that article. */
  article_identifier: z.string(),
  title: z.string(),
  /** The beginning of its text. */
  summary: z.string(),
  /** `updated_at` of the article when the draft was started. */
  based_on: unsetTime,
  updated_at: unsetTime,
})
export type DraftItem = z.output<typeof DraftItem>

const Draft = z.extend(DraftItem, {
  content: z.string(),
  keywords: z.string(),
  description: z.string(),
  cover: z.string(),
  category_id: z.array(id),
  identifier: z.string(),
})
export type ArticleDraft = z.output<typeof Draft>

/** Nothing is checked before it is published: a draft may be unfinished. */
const facts = {
  title: or(text(1000), ''),
  content: or(z.string().check(z.maxLength(maxArticleLength, `正文最多 ${maxArticleLength} 个字符`)), ''),
  keywords: or(text(1000), ''),
  description: or(text(4000), ''),
  cover: or(text(2000), ''),
  category_id: many(id),
  identifier: or(text(200), ''),
}

export const articleDrafts = {
  list: get('/article/draft/list', {
    summary: '我的文章草稿，不带正文，最近写的在前',
    access: 'member',
    input: none,
    reply: z.object({ draft: z.array(DraftItem) }),
  }),
  get: get('/article/draft', { summary: '我的一份草稿', access: 'member', input: byId, reply: Draft }),
  save: put('/article/draft', {
    summary: '保存草稿；别处改过的不覆盖，另存一份',
    access: 'member',
    bodyLimit,
    input: z.object({
      /** 0 for a new draft. */
      id: or(count(), 0),
      article_id: or(count(), 0),
      based_on: or(unsetTime, null),
      /** The draft's `updated_at` that the editor knows. */
      known_at: or(unsetTime, null),
      ...facts,
    }),
    reply: z.object({ id, updated_at: unsetTime }),
  }),
  delete: del('/article/draft', { summary: '删除我的草稿', access: 'member', input: byIds, reply: none }),
}
