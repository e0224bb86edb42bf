import * as z from 'zod/mini'
import { get, permission, post } from '../endpoint.ts'
import { OrderType } from '../enums.ts'
import { code, count, none, or, text, unsetTime } from '../fields.ts'

/** A day in the site's time zone, such as 2026-11-15. */
const day = text(10)
/** From a first to a last day, or so many days up to the last, which is today unless it is given. */
const period = {
  first: or(day, ''),
  last: or(day, ''),
  days: or(z.int('请输入整数').check(z.gte(1, '至少 1 天'), z.lte(366, '最多 366 天')), 30),
}
/** The days that were counted: at most 366, none in the future. */
const counted = { first: day, last: day }

const large = count(Number.MAX_SAFE_INTEGER)
const sales = {
  sold: count(),
  /** Of these, refunded or withdrawn, in part at least. */
  taken_back: count(),
  /** In fen, less what went back. */
  money: large,
  credits: large,
}

export const stats = {
  get: get('/stats', {
    summary: '网站统计',
    access: 'public',
    shared: true,
    input: none,
    reply: z.object({
      user_count: count(),
      document_count: count(),
      article_count: count(),
      category_count: count(),
      comment_count: count(),
      banner_count: count(),
      friendlink_count: count(),
      report_count: count(),
      os: z.string(),
      version: z.string(),
      hash: z.string(),
      build_at: unsetTime,
    }),
  }),
  /** For the dashboard. */
  trend: get('/stats/trend', {
    summary: '近 30 天每天的数字，最后一天是今天',
    access: permission('ConfigAPI/GetStats'),
    input: none,
    reply: z.object({
      day: z.array(
        z.object({
          /** 2026-11-15 */
          day: z.string(),
          view: count(),
          visitor: count(),
          upload: count(),
          download: count(),
          register: count(),
          search: count(),
          converted: count(),
          failed: count(),
        }),
      ),
    }),
  }),
  /** The statistics of a period: at most a thousand rows each, and the sums of all. */
  reads: get('/stats/reads', {
    summary: '一段时间内阅读最多的文档',
    access: permission('StatsAPI/ListStats'),
    input: z.object(period),
    reply: z.object({
      ...counted,
      total: count(),
      reads: large,
      downloads: large,
      favorites: large,
      document: z.array(
        z.object({
          document_id: count(),
          title: z.string(),
          /** Empty in the recycle bin. */
          href: z.string(),
          user_id: count(),
          username: z.string(),
          reads: count(),
          downloads: count(),
          favorites: count(),
        }),
      ),
    }),
  }),
  sales: get('/stats/sales', {
    summary: '一段时间内卖出的文档、VIP 和充值，按销量或收入',
    access: permission('StatsAPI/ListStats'),
    input: z.object({ ...period, by: or(z.enum(['sold', 'income']), 'sold') }),
    reply: z.object({
      ...counted,
      ...sales,
      total: count(),
      product: z.array(
        z.object({
          order_type: code(OrderType),
          product_id: count(),
          title: z.string(),
          /** Of a document that is not in the recycle bin. */
          href: z.string(),
          /** The author; 0 for what is no document, or is gone. */
          user_id: count(),
          username: z.string(),
          ...sales,
        }),
      ),
    }),
  }),
  authors: get('/stats/authors', {
    summary: '一段时间内各作者的文档带来的收入，以及 VIP 和充值的收入',
    access: permission('StatsAPI/ListStats'),
    input: z.object(period),
    reply: z.object({
      ...counted,
      ...sales,
      total: count(),
      author: z.array(z.object({ order_type: code(OrderType), user_id: count(), username: z.string(), ...sales })),
    }),
  }),
  funnel: get('/stats/funnel', {
    summary: '一段时间内每天的浏览、访客、阅读、下单和支付',
    access: permission('StatsAPI/ListStats'),
    input: z.object(period),
    reply: z.object({
      ...counted,
      day: z.array(
        z.object({
          day: z.string(),
          view: count(),
          visitor: count(),
          read: count(),
          ordered: count(),
          paid: count(),
        }),
      ),
    }),
  }),
  /** What waits for the caller: work that they may not do is 0. */
  pending: get('/stats/waiting', {
    summary: '等待本人处理的事项，以及有消息的工作进程数',
    access: 'staff',
    input: none,
    reply: z.object({
      document_review: count(),
      /** New files for published documents. */
      replacement_review: count(),
      article_review: count(),
      comment_review: count(),
      report: count(),
      failed_conversion: count(),
      conversion_queue: count(),
      failed_mail: count(),
      /** Buyers say that they have paid. */
      claimed_order: count(),
      /** Paid after closing, or twice. */
      surplus_order: count(),
      bill_difference: count(),
      /** Downloads and publications of the crawler. */
      failed_crawl: count(),
      /** Workers that were heard of in the last minute. */
      worker_count: count(),
    }),
  }),
}

export const visits = {
  record: post('/visit', {
    summary: '记一次页面浏览，不用 Cookie，不含搜索引擎',
    // Beacons carry no token: a site that requires login would refuse its own members.
    access: 'open',
    input: z.object({ path: text(1000, 1) }),
    reply: none,
  }),
}
