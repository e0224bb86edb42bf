import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { ContentType } from '../enums.ts'
import {
  byId,
  byIds,
  code,
  count,
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
  time,
  unsetTime,
} from '../fields.ts'
import {
  SpiderDocumentStatus,
  SpiderEntry,
  type SpiderFailure,
  spiderFailureLabels,
  type SpiderLogEvent,
  spiderLogLabels,
  SpiderPublish,
  SpiderSchedule,
  SpiderSourceState,
  SpiderUrlStatus,
} from '../spider.ts'

const maxPatterns = 50
const address = text(2000, 1)
/** A glob, or a regular expression between slashes. */
const patterns = or(z.array(text(500, 1)).check(z.maxLength(maxPatterns, `最多 ${maxPatterns} 条`)), [])
const selector = or(text(500), '')
const categoryIds = or(z.array(id).check(z.maxLength(20, '最多 20 个分类')), [])
const hour = or(count(23), 0)
const failure = z.union([
  z.literal(''),
  z.enum(Object.keys(spiderFailureLabels) as [SpiderFailure, ...SpiderFailure[]]),
])

/** By which rule a source is crawled. */
export const SpiderRule = z.object({
  entry: or(code(SpiderEntry), SpiderEntry.Page),
  /** Start addresses. */
  start: z.array(address).check(z.minLength(1, '请填写起始网址'), z.maxLength(100, '最多 100 个起始网址')),
  depth: or(count(20), 2),
  max_pages: or(count(100_000), 1000),
  /** Of the source, over all its runs. */
  max_documents: or(count(1_000_000), 10_000),
  /** A run that takes longer is ended; 0 for any time. */
  max_hours: or(count(8760), 72),
  /** How many pages may differ in nothing but their query. */
  max_queries: or(count(100_000), 200),
  follow: patterns,
  exclude: patterns,
  /** Of documents, or of the pages of articles. */
  item: patterns,
  drop_params: or(z.array(text(64, 1)).check(z.maxLength(maxPatterns, `最多 ${maxPatterns} 个`)), []),
  selector_title: selector,
  selector_description: selector,
  selector_keywords: selector,
  selector_date: selector,
  selector_next: selector,
  selector_content: selector,
  ext: or(z.array(text(16, 1)).check(z.maxLength(100)), []),
  /** In MB; 0 for the site's own limit. */
  max_size: or(count(10_240), 0),
  language: or(text(16), ''),
  category_id: categoryIds,
  /** The first that matches the address wins over `category_id`. */
  category_rule: or(
    z
      .array(z.object({ pattern: text(500, 1), category_id: z.array(id).check(z.minLength(1, '请选择分类')) }))
      .check(z.maxLength(maxPatterns, `最多 ${maxPatterns} 条`)),
    [],
  ),
  price: or(count(1_000_000), 0),
  /** Files are downloaded as soon as they are found. */
  auto_download: or(flag, true),
  publish: or(code(SpiderPublish), SpiderPublish.Manual),
  source_name: or(text(64), ''),
  schedule: or(code(SpiderSchedule), SpiderSchedule.Once),
  /** No request from this hour to that one, in the site's time zone; equal for none. */
  quiet_from: hour,
  quiet_to: hour,
  /** In seconds; 0 for the site's own. */
  delay: or(count(3600), 0),
})
export type SpiderRule = z.output<typeof SpiderRule>

const sourceFields = {
  name: text(64, 1),
  target: or(code(ContentType), ContentType.Document),
  enable: or(flag, true),
  /** Whose documents they become; 0 for the user who saves it. */
  user_id: or(count(), 0),
  ...SpiderRule.shape,
}

/** Why nothing is requested at the moment: the crawler is off, or the day's limit of bytes is reached. */
const Block = z.union([z.literal(''), z.enum(['off', 'day_full'])])
export type SpiderBlock = z.output<typeof Block>

const urlCounts = z.object({ pending: count(), crawling: count(), done: count(), failed: count() })

const Source = z.object({
  id,
  ...sourceFields,
  username: z.string(),
  state: code(SpiderSourceState),
  run: count(),
  started_at: unsetTime,
  finished_at: unsetTime,
  next_run_at: unsetTime,
  /** Now is an hour in which the rule allows no request. */
  is_quiet: flag,
  /** Of its links. */
  url_count: urlCounts,
  /** Of its documents. */
  found: count(),
  downloaded: count(),
  published: count(),
  failed: count(),
  created_at: unsetTime,
})
export type SpiderSource = z.output<typeof Source>

/** Of several rows, those in a state that does not allow it are skipped. */
const changed = z.object({ changed: count(), skipped: count() })

const Url = z.object({
  id,
  source_id: count(),
  source_name: z.string(),
  url: z.string(),
  title: z.string(),
  depth: count(),
  status: code(SpiderUrlStatus),
  reason: failure,
  detail: z.string(),
  http_status: count(),
  tries: count(),
  due_at: unsetTime,
  fetched_at: unsetTime,
  created_at: unsetTime,
})
export type SpiderUrl = z.output<typeof Url>

const Document = z.object({
  id,
  source_id: count(),
  source_name: z.string(),
  target: code(ContentType),
  url: z.string(),
  /** The page on which it was found. */
  found_at: z.string(),
  status: code(SpiderDocumentStatus),
  reason: failure,
  detail: z.string(),
  http_status: count(),
  title: z.string(),
  description: z.string(),
  keywords: z.string(),
  language: z.string(),
  price: count(),
  category_id: z.array(count()),
  user_id: count(),
  username: z.string(),
  name: z.string(),
  ext: z.string(),
  size: count(Number.MAX_SAFE_INTEGER),
  /** Of the document or article that it became; empty before. */
  href: z.string(),
  dated_at: unsetTime,
  downloaded_at: unsetTime,
  published_at: unsetTime,
  /** When a download that failed is tried again. */
  due_at: unsetTime,
  created_at: unsetTime,
})
export type SpiderDocument = z.output<typeof Document>

const Log = z.object({
  id,
  event: z.enum(Object.keys(spiderLogLabels) as [SpiderLogEvent, ...SpiderLogEvent[]]),
  reason: failure,
  http_status: count(),
  bytes: count(Number.MAX_SAFE_INTEGER),
  duration_ms: count(),
  detail: z.string(),
  created_at: unsetTime,
})
export type SpiderLog = z.output<typeof Log>
/** The newest first. */
const logs = z.object({ log: z.array(Log) })

export const spiderSources = {
  list: get('/spider/source/list', {
    summary: '采集源列表，含各自的进度',
    access: permission('SpiderSourceAPI/ListSpiderSource'),
    input: listInput({ state: many(code(SpiderSourceState)), target: many(code(ContentType)) }),
    reply: z.extend(page('source', Source), { block: Block }),
  }),
  get: get('/spider/source', {
    summary: '采集源',
    access: permission('SpiderSourceAPI/ListSpiderSource'),
    input: byId,
    reply: Source,
  }),
  create: post('/spider/source', {
    summary: '新增采集源',
    access: permission('SpiderSourceAPI/CreateSpiderSource'),
    bodyLimit: 1024 * 1024,
    input: z.object(sourceFields),
    reply: z.object({ id }),
  }),
  update: put('/spider/source', {
    summary: '修改采集源',
    access: permission('SpiderSourceAPI/UpdateSpiderSource'),
    bodyLimit: 1024 * 1024,
    input: z.object({ id, ...sourceFields }),
    reply: none,
  }),
  delete: del('/spider/source', {
    summary: '删除采集源、它的链接和还没有发布的采集文档；已发布的保留',
    access: permission('SpiderSourceAPI/DeleteSpiderSource'),
    input: byIds,
    reply: none,
  }),
  start: put('/spider/source/start', {
    summary: '开始运行，或从暂停处继续',
    access: permission('SpiderSourceAPI/UpdateSpiderSource'),
    input: byIds,
    reply: changed,
  }),
  pause: put('/spider/source/pause', {
    summary: '暂停',
    access: permission('SpiderSourceAPI/UpdateSpiderSource'),
    input: byIds,
    reply: changed,
  }),
  stop: put('/spider/source/stop', {
    summary: '结束这一轮：还没有读的链接不再读，等待下载的文档留待以后',
    access: permission('SpiderSourceAPI/UpdateSpiderSource'),
    input: byIds,
    reply: changed,
  }),
  try: post('/spider/source/try', {
    summary: '试采一页：按规则会找到什么，不保存任何东西',
    access: permission('SpiderSourceAPI/UpdateSpiderSource'),
    bodyLimit: 1024 * 1024,
    input: z.object({ ...sourceFields, url: address, is_sitemap: or(flag, false) }),
    reply: z.object({
      url: z.string(),
      /** Empty when the page could be read. */
      reason: failure,
      detail: z.string(),
      http_status: count(),
      duration_ms: count(),
      title: z.string(),
      description: z.string(),
      keywords: z.string(),
      dated_at: unsetTime,
      /** Whose selector was given and read nothing. */
      unmatched: z.array(z.enum(['title', 'description', 'keywords', 'date'])),
      /** Addresses that would be read next. */
      page: z.array(z.string()),
      document: z.array(z.object({ url: z.string(), title: z.string(), category_id: z.array(count()) })),
      /** How the text of an article would begin. */
      excerpt: z.string(),
      /** Links that the rule leaves aside. */
      skipped: count(),
    }),
  }),
}

export const spiderUrls = {
  list: get('/spider/url/list', {
    summary: '采集链接列表，含各状态的数目',
    access: permission('SpiderUrlAPI/ListSpiderUrl'),
    input: listInput({ status: many(code(SpiderUrlStatus)), source_id: many(count()), created_at: period }),
    reply: z.extend(page('url', Url), { count: urlCounts, block: Block }),
  }),
  create: post('/spider/url', {
    summary: '采集单个网址或一批网址：网页里的文档会被找出来，文件会直接成为采集文档',
    access: permission('SpiderUrlAPI/CreateSpiderUrl'),
    /** One address a line. */
    bodyLimit: 4 * 1024 * 1024,
    input: z.object({ url: text(900_000, 1) }),
    /** `wrong` is the first of them. */
    reply: z.object({ created: count(), known: count(), wrong: z.array(z.string()), wrong_count: count() }),
  }),
  retry: put('/spider/url/retry', {
    summary: '重新采集链接',
    access: permission('SpiderUrlAPI/UpdateSpiderUrl'),
    input: byIds,
    reply: changed,
  }),
  delete: del('/spider/url', {
    summary: '删除采集链接',
    access: permission('SpiderUrlAPI/DeleteSpiderUrl'),
    input: byIds,
    reply: none,
  }),
  log: get('/spider/url/log', {
    summary: '采集链接的日志',
    access: permission('SpiderUrlAPI/ListSpiderUrl'),
    input: byId,
    reply: logs,
  }),
}

const documentFields = {
  title: text(255, 1),
  description: or(text(512), ''),
  keywords: or(text(255), ''),
  language: or(text(16), ''),
  price: or(count(1_000_000), 0),
  category_id: categoryIds,
}

export const spiderDocuments = {
  list: get('/spider/document/list', {
    summary: '采集文档列表，含各状态的数目',
    access: permission('SpiderDocumentAPI/ListSpiderDocument'),
    input: listInput({
      status: many(code(SpiderDocumentStatus)),
      target: many(code(ContentType)),
      source_id: many(count()),
      created_at: period,
    }),
    /** By status. */
    reply: z.extend(page('document', Document), { count: z.record(z.string(), count()), block: Block }),
  }),
  update: put('/spider/document', {
    summary: '修改采集文档，发布前有效',
    access: permission('SpiderDocumentAPI/UpdateSpiderDocument'),
    input: z.object({ id, ...documentFields }),
    reply: none,
  }),
  setCategory: put('/spider/document/category', {
    summary: '设置采集文档的分类',
    access: permission('SpiderDocumentAPI/UpdateSpiderDocument'),
    input: z.object({ id: ids, category_id: categoryIds }),
    reply: changed,
  }),
  setPrice: put('/spider/document/price', {
    summary: '设置采集文档的价格',
    access: permission('SpiderDocumentAPI/UpdateSpiderDocument'),
    input: z.object({ id: ids, price: count(1_000_000) }),
    reply: changed,
  }),
  download: put('/spider/document/download', {
    summary: '下载，或重新下载',
    access: permission('SpiderDocumentAPI/UpdateSpiderDocument'),
    input: byIds,
    reply: changed,
  }),
  publish: put('/spider/document/publish', {
    summary: '发布下载成功的文档',
    access: permission('SpiderDocumentAPI/PublishSpiderDocument'),
    input: byIds,
    reply: changed,
  }),
  retry: put('/spider/document/retry', {
    summary: '重试失败的下载和发布',
    access: permission('SpiderDocumentAPI/UpdateSpiderDocument'),
    input: byIds,
    reply: changed,
  }),
  delete: del('/spider/document', {
    summary: '删除采集文档；已发布的文档保留',
    access: permission('SpiderDocumentAPI/DeleteSpiderDocument'),
    input: byIds,
    reply: none,
  }),
  log: get('/spider/document/log', {
    summary: '采集文档的日志',
    access: permission('SpiderDocumentAPI/ListSpiderDocument'),
    input: byId,
    reply: logs,
  }),
  /** For the dashboard. */
  today: get('/spider/today', {
    summary: '今天采集的数字',
    access: permission('SpiderDocumentAPI/ListSpiderDocument'),
    input: none,
    reply: z.object({
      found: count(),
      downloaded: count(),
      published: count(),
      failed: count(),
      bytes: count(Number.MAX_SAFE_INTEGER),
      /** The time of the next scheduled run. */
      next_run_at: z.nullable(time),
      running: count(),
      /** The crawler is on, or has sources. */
      is_used: flag,
    }),
  }),
}
