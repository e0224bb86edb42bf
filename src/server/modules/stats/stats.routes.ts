import type { stats } from '#shared/contract/stats.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { memoizeFor } from '#server/concurrency/memoize.ts'
import { getBuild } from '#server/modules/system/build.ts'
import { listReads } from './document-days.ts'
import { countFunnel } from './funnel.ts'
import { daysCounted } from './period.ts'
import { listAuthors, listSales } from './sales.ts'
import { countAll } from './stats.queries.ts'
import { openTrend } from './trend.ts'
import { countPending, toOwnWork } from './pending.ts'
import { version } from '#server/version.ts'

const pendingForMs = 3000

export function statsRoutes(): Handlers<typeof stats> {
  const countForAll = memoizeFor(pendingForMs, countPending)
  return {
    async get(ctx) {
      const counts = await countAll(ctx.db)
      const shown = {
        user_count: counts.user_count + ctx.settings.display.virtual_register_count,
        document_count: counts.document_count,
        article_count: counts.article_count,
      }
      const hidden = {
        category_count: 0,
        comment_count: 0,
        banner_count: 0,
        friendlink_count: 0,
        report_count: 0,
        os: '',
        version: '',
        hash: '',
        build_at: null,
      }
      if (!ctx.viewer.can('ConfigAPI/GetStats')) return { ...hidden, ...shown }
      return { ...counts, ...shown, os: `${process.platform} ${process.arch}`, version, ...(await getBuild()) }
    },
    trend: openTrend(),
    reads: async (ctx, input) => ({ ...daysCounted(ctx, input), ...(await listReads(ctx, input)) }),
    sales: async (ctx, input) => ({ ...daysCounted(ctx, input), ...(await listSales(ctx, input)) }),
    authors: async (ctx, input) => ({ ...daysCounted(ctx, input), ...(await listAuthors(ctx, input)) }),
    funnel: async (ctx, input) => ({ ...daysCounted(ctx, input), day: await countFunnel(ctx, input) }),
    pending: async (ctx) => toOwnWork(await countForAll(ctx), ctx.viewer),
  }
}
