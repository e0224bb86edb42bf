import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { ContentType, facetFields, searchSteps } from '../enums.ts'
import { byIds, code, count, flag, id, listInput, many, none, or, page, period, text, unsetTime } from '../fields.ts'
import { Article, articleFilters } from './articles.ts'
import { Document, documentFilters } from './documents.ts'
import { MarkedText, searchWords } from './marked-text.ts'

const DocumentHit = z.extend(Document, {
  /** The matches in the title. */
  title_ranges: z.array(z.array(count())),
  excerpt: MarkedText,
  /** The page to open, and the number of pages of the preview with hits. */
  hit_page: count(),
  hit_pages: count(),
  /** The words to find on it, where they are not the typed ones. */
  hit_words: z.string(),
})
export type DocumentHit = z.output<typeof DocumentHit>

/** How many of the results have a value; `value` is the one that the filter of this field takes. */
const Facet = z.object({ field: z.enum(facetFields), value: z.string(), count: count() })
export type Facet = z.output<typeof Facet>

const answer = {
  total: count(),
  /** Counting stops at what the site shows: there may be more. */
  more: flag,
  /** In seconds. */
  spend: z.string(),
  /** Empty where nothing was searched for. */
  step: z.union([z.literal(''), z.enum(searchSteps)]),
  /** How many of the results have all words as typed; they come first. */
  exact: count(),
  /** Words that the visitor may have meant. */
  suggestion: z.string(),
  /** With `extras`: other searches that find something. */
  related: z.array(z.string()),
  /** With `extras`. Each field is counted as if it were not filtered by. */
  facet: z.array(Facet),
  /** Only the best results were counted. */
  facet_more: flag,
  /** The typed words that stand in for all of them; empty where all were found. */
  used: z.array(z.string()),
  /** The ticket to send to `shown`, with `deferred`. */
  ticket: z.string(),
}

/** For a page of results: facets and related searches. */
const extras = or(flag, false)
/** The page is rendered for many visitors: the search is recorded when one of them has it on screen (`shown`). */
const deferred = or(flag, false)

const ArticleHit = z.extend(Article, {
  /** The matches in the title. */
  title_ranges: z.array(z.array(count())),
  excerpt: MarkedText,
})
export type ArticleHit = z.output<typeof ArticleHit>

const SearchRecord = z.object({
  id,
  user_id: count(),
  username: z.string(),
  ip: z.string(),
  keywords: z.string(),
  total: count(),
  page: count(),
  /** In seconds. */
  spend_time: z.number(),
  user_agent: z.string(),
  created_at: unsetTime,
  updated_at: unsetTime,
})

/** `id` is that of the latest record. */
const MissedWord = z.object({ id, keywords: z.string(), times: count(), last_at: unsetTime })

const Suggestion = z.object({
  ...MarkedText.shape,
  /** Of a document to open; empty for a search suggestion. */
  uuid: z.string(),
  ext: z.string(),
})
export type Suggestion = z.output<typeof Suggestion>

export const searches = {
  documents: get('/document/search', {
    summary: '搜索文档：标题、关键字、简介和正文',
    access: 'public',
    input: z.object({
      wd: searchWords,
      page: or(z.int(), 1),
      category_id: documentFilters.category_id,
      user_id: documentFilters.user_id,
      ext: documentFilters.ext,
      language: documentFilters.language,
      created_at: documentFilters.created_at,
      fee_type: documentFilters.fee_type,
      /** latest, pages, size …; by relevance without it. */
      sort: or(text(32), ''),
      extras,
      deferred,
    }),
    reply: z.object({ ...answer, document: z.array(DocumentHit) }),
  }),
  articles: get('/article/search', {
    summary: '搜索文章：标题、关键字、摘要和正文',
    access: 'public',
    input: z.object({
      wd: searchWords,
      page: or(z.int(), 1),
      category_id: articleFilters.category_id,
      user_id: articleFilters.user_id,
      created_at: articleFilters.created_at,
      /** latest …; by relevance without it. */
      sort: or(text(32), ''),
      extras,
      deferred,
    }),
    reply: z.object({ ...answer, article: z.array(ArticleHit) }),
  }),
  shown: post('/search/shown', {
    summary: '读者看到了服务器渲染的结果页：这时才记录搜索',
    access: 'public',
    input: z.object({ ticket: text(2000, 1) }),
    reply: none,
  }),
  reindex: put('/renew/document/index', {
    summary: '重建搜索索引',
    access: permission('ConfigAPI/UpdateConfig'),
    input: none,
    reply: none,
  }),
  suggest: get('/search/suggest', {
    summary: '搜索建议：标题、别人搜过的词，也认拼音和首字母',
    access: 'public',
    input: z.object({ wd: searchWords, type: or(code(ContentType), ContentType.Document) }),
    reply: z.object({ suggestion: z.array(Suggestion) }),
  }),
  hot: get('/search/hot', {
    summary: '热门搜索词，都能搜到内容',
    access: 'public',
    shared: true,
    input: z.object({ type: or(code(ContentType), ContentType.Document) }),
    reply: z.object({ word: z.array(z.string()) }),
  }),
}

export const searchRecords = {
  list: get('/searchrecord/list', {
    summary: '搜索记录',
    access: permission('SearchRecordAPI/ListSearchRecord'),
    input: listInput({ keywords: or(text(64), ''), ip: or(text(64), ''), user_id: many(id), created_at: period }),
    reply: page('search_record', SearchRecord),
  }),
  missed: get('/searchrecord/missed', {
    summary: '没有搜到结果的词，次数多的在前',
    access: permission('SearchRecordAPI/ListSearchRecord'),
    input: listInput({ keywords: or(text(64), '') }),
    reply: page('word', MissedWord),
  }),
  delete: del('/searchrecord', {
    summary: '删除搜索记录',
    access: permission('SearchRecordAPI/DeleteSearchRecord'),
    input: byIds,
    reply: none,
  }),
}
