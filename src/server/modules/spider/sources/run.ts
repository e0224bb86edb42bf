import type { spiderSources } from '#shared/contract/spider.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { SpiderSourceState } from '#shared/spider.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { pauseRun, resumeRun, startRun, stopRun } from '../crawl/runs.ts'
import { assertSpiderEnabled } from '../spider.enabled.ts'

type Changed = Reply<typeof spiderSources.start>

/** Those that run, or are switched off, are skipped. */
export async function startSources(ctx: Ctx, { id: ids }: Input<typeof spiderSources.start>): Promise<Changed> {
  assertSpiderEnabled(ctx)
  return changeRuns(ctx, ids, async (ctx, { id, state, enable }) => {
    if (enable === 0 || state === SpiderSourceState.Running) return false
    return state === SpiderSourceState.Paused ? resumeRun(ctx, id) : startRun(ctx, id)
  })
}

export function pauseSources(ctx: Ctx, { id: ids }: Input<typeof spiderSources.pause>): Promise<Changed> {
  return changeRuns(ctx, ids, (ctx, { id }) => pauseRun(ctx, id))
}

export function stopSources(ctx: Ctx, { id: ids }: Input<typeof spiderSources.stop>): Promise<Changed> {
  return changeRuns(ctx, ids, (ctx, { id }) => stopRun(ctx, id))
}

interface Source {
  id: number
  name: string
  state: SpiderSourceState
  enable: number
}

/** `change` says whether it has changed something. */
function changeRuns(
  ctx: Ctx,
  ids: readonly number[],
  change: (ctx: Ctx, source: Source) => Promise<boolean>,
): Promise<Changed> {
  return transaction(ctx, async (ctx) => {
    const sources = await ctx.db
      .selectFrom('spider_source')
      .select(['id', 'name', 'state', 'enable'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    const changed: Source[] = []
    for (const source of sources) if (await change(ctx, source)) changed.push(source)
    ctx.audit?.({ ids: changed.map(({ id }) => id), change: changed.map(({ name }) => name).join(',') })
    return { changed: changed.length, skipped: new Set(ids).size - changed.length }
  })
}
