import type { Ctx } from '#server/context.ts'
import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { type ConversionDeps, convert } from './convert.ts'
import { extractTextBatch, prerenderBatch } from './extract-text.ts'
import { removeRendition } from './remove.ts'
import { extractTable } from './tables/extract-table.ts'
import { repairRenditions, retryBlocked, sweepWorkDir } from './repair.ts'

export const renditionSchedules: JobSchedule[] = [{ kind: 'renditions.repair', everyMs: 60_000 }]

export function renditionJobs(deps: ConversionDeps) {
  return {
    'renditions.convert': (ctx, { hash }, run) => convert(ctx, deps, { hash, run }),
    'renditions.convert-office': (ctx, { hash }, run) => convert(ctx, deps, { hash, run }),
    'renditions.extract-text': (ctx, batch, { owner, signal }) => extractTextBatch(ctx, { batch, owner, signal }),
    'renditions.extract-table': (ctx, batch, { signal }) => extractTable(ctx, deps, { batch, signal }),
    'renditions.prerender': (ctx, batch, { owner, signal }) =>
      prerenderBatch(ctx, deps.pageImages, { batch, owner, signal }),
    'renditions.remove': (ctx, { hash }) => removeRendition(ctx, deps, hash),
    'renditions.repair': (ctx) => repairRenditions(ctx, deps.observer),
  } satisfies Partial<JobHandlers>
}

/** What a worker does before its first job. */
export async function resumeConversions(ctx: Ctx, { workDir }: ConversionDeps): Promise<void> {
  await sweepWorkDir(workDir)
  await retryBlocked(ctx)
}
