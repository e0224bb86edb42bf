import { type Ctx, transaction } from '../context.ts'
import { enqueue } from './queue.ts'

export interface Schedule {
  kind: string
  everyMs: number
}

/** Puts scheduled jobs into the queue, each once per period however many processes look. */
export async function enqueueDue(ctx: Ctx, schedules: readonly Schedule[]): Promise<void> {
  const now = ctx.now()
  const rows = await ctx.db.selectFrom('revision').selectAll().where('name', 'like', 'schedule:%').execute()
  const done = new Map(rows.map(({ name, value }) => [name, value]))
  for (const { kind, everyMs } of schedules) {
    const name = `schedule:${kind}`
    const period = Math.floor(now / everyMs)
    if ((done.get(name) ?? -1) >= period) continue
    await transaction(ctx, async (ctx) => {
      const { numInsertedOrUpdatedRows } = await ctx.db
        .insertInto('revision')
        .values({ name, value: period })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ value: period }).where('revision.value', '<', period),
        )
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows) await enqueue(ctx, { kind, key: name })
    })
  }
}
