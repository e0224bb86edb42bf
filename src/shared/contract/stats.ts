import * as z from 'zod/mini'
import { get, permission, post } from '../endpoint.ts'
import { count, none, text, unsetTime } from '../fields.ts'

export const stats = {
  get: get('/stats', {
    summary: '网站统计',
    access: 'public',
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
