import { linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/**
 * Pages without end: a calendar by path, one by query, combinations of filters, and relative links that grow by a folder
 * with each page. The crawl ends by itself, by its limits of pages, of depth, and of variants of one path.
 */
export const calendar: Trap = {
  start: '/calendar/',
  routes: {
    '/calendar/': linkPage('日历', ['/calendar/2026/1/', '/events?month=1', '/filter?', '/deeper/']),
    '/calendar/*': ({ url }) => {
      const [, , year, month] = url.pathname.split('/').map(Number)
      const next = new Date(Date.UTC(year ?? 2026, month ?? 1))
      return linkPage(`${year} 年 ${month} 月`, [`/calendar/${next.getUTCFullYear()}/${next.getUTCMonth() + 1}/`])
    },
    '/events': ({ url }) => {
      const month = Number(url.searchParams.get('month'))
      return linkPage(`第 ${month} 月的活动`, [`/events?month=${month + 1}`, `/events?month=${month - 1}`])
    },
    // Every page adds each of ten filters: 2¹⁰ combinations, in any order.
    '/filter': ({ url }) => {
      const query = url.search.slice(1)
      return linkPage(
        `筛选 ${query}`,
        Array.from({ length: 10 }, (_, n) => `/filter?${query}&f${n}=1`),
      )
    },
    '/deeper/*': ({ url }) => linkPage(`第 ${url.pathname.split('/').length} 层`, ['deeper/', 'x/']),
  },
}
