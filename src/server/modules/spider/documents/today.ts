import type { spiderDocuments } from '#shared/contract/spider.ts'
import type { Reply } from '#shared/endpoint.ts'
import { SpiderSourceState } from '#shared/spider.ts'
import type { Ctx } from '#server/context.ts'
import { getToday } from '../spider.counts.ts'

export async function countToday(ctx: Ctx): Promise<Reply<typeof spiderDocuments.today>> {
  const [counts, sources] = await Promise.all([
    getToday(ctx),
    ctx.db
      .selectFrom('spider_source')
      .select(({ fn }) => [
        fn.countAll<number>().filterWhere('state', '=', SpiderSourceState.Running).as('running'),
        fn.countAll<number>().as('total'),
        fn.min('next_run_at').filterWhere('enable', '=', 1).as('next_run_at'),
      ])
      .executeTakeFirstOrThrow(),
  ])
  const { running, next_run_at, total } = sources
  return { ...counts, running, next_run_at, is_used: ctx.settings.spider.enable || total > 0 }
}
