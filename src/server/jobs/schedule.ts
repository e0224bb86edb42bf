import { type Ctx, transaction } from '../context.ts'
import { insertJob } from './queue.ts'

export interface Schedule {
  kind: string
  /** By which the job is the same as one that was enqueued otherwise. */
  key?: string
  everyMs: number
}

/** Enqueues scheduled jobs, each once per period however many processes look. */
export async function enqueueDue(ctx: Ctx, schedules: readonly Schedule[]): Promise<void> {
  const now = ctx.now()
  const rows = await ctx.db.selectFrom('revision').selectAll().where('name', 'like', 'schedule:%').execute()
  const lastPeriods = new Map(rows.map(({ name, value }) => [name, value]))
  for (const { kind, key, everyMs } of schedules) {
    const name = scheduleName(kind)
    const period = Math.floor(now / everyMs)
    if ((lastPeriods.get(name) ?? -1) >= period) continue
    await transaction(ctx, async (ctx) => {
      const { numInsertedOrUpdatedRows } = await ctx.db
        .insertInto('revision')
        .values({ name, value: period })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ value: period }).where('revision.value', '<', period),
        )
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows) await insertJob(ctx, { kind, key: key || name })
    })
  }
}

/** Names the last period in which a job was enqueued, and is the key of a job that has no other. */
export function scheduleName(kind: string): string {
  return `schedule:${kind}`
}
