import * as z from 'zod/mini'
import { permission, put } from '../endpoint.ts'
import { count, none } from '../fields.ts'

export const sitemaps = {
  check: put('/sitemap', {
    summary: '重新统计站点地图；站点地图总是最新的',
    access: permission('ConfigAPI/UpdateSitemap'),
    input: none,
    reply: z.object({ total: count() }),
  }),
}
