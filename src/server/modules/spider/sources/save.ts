import { spiderSources } from '#shared/contract/spider.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { SpiderSchedule } from '#shared/spider.ts'
import { describeDiff, describeInput } from '#server/audit-text.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { pauseRun, resumeRun } from '../crawl/runs.ts'
import { changeOwner } from './change-owner.ts'
import { assertValidRule, type SourceForm, toExts } from './check-rule.ts'
import { describeSource } from './describe.ts'
import { readRule, writeRule } from './rule.ts'
import { getSourceRow, type SourceRow } from './sources.queries.ts'

export async function createSource(
  ctx: Ctx,
  input: Input<typeof spiderSources.create>,
): Promise<Reply<typeof spiderSources.create>> {
  const form = toForm(ctx, input)
  await assertValidRule(ctx, form)
  return transaction(ctx, async (ctx) => {
    const next_run_at = form.schedule === SpiderSchedule.Once ? null : ctx.now()
    const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
    const { id } = await ctx.db
      .insertInto('spider_source')
      .values({ ...toColumns(form), next_run_at, ...stamps })
      .returning('id')
      .executeTakeFirstOrThrow()
    ctx.audit?.({ ids: [id], change: describeInput(await describeSource(ctx, form)) })
    return { id }
  })
}

/** A run that is under way goes on by the new rule. */
export async function updateSource(ctx: Ctx, { id, ...input }: Input<typeof spiderSources.update>): Promise<void> {
  const current = await getSourceRow(ctx.db, id)
  const before = toSource(current)
  const form = toForm(ctx, input)
  await assertValidRule(ctx, form, before)
  await transaction(ctx, async (ctx) => {
    const columns = toColumns(form)
    const isNewRule = columns.rule !== current.rule || columns.target !== current.target
    const isNewSchedule = form.schedule !== before.schedule
    const next_run_at = form.schedule === SpiderSchedule.Once ? null : ctx.now()
    const row = await ctx.db
      .updateTable('spider_source')
      .set({
        ...columns,
        ...(isNewSchedule && { next_run_at }),
        // By it the next run knows that pages which have not changed may hold other things by the new rule.
        ...(isNewRule && { updated_at: ctx.now() }),
      })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!row) throw errors.spider.sourceNotFound()
    if (!form.enable) await pauseRun(ctx, id)
    // What switching it off has paused.
    if (form.enable && !before.enable) await resumeRun(ctx, id)
    if (form.user_id !== before.user_id) await changeOwner(ctx, id, { from: before.user_id, to: form.user_id })
    const [old, now] = [await describeSource(ctx, before), await describeSource(ctx, form)]
    ctx.audit?.({ ids: [id], change: describeDiff(old, now, spiderSources.update.input) })
  })
}

function toForm({ viewer }: Ctx, input: SourceForm): SourceForm {
  return { ...input, user_id: input.user_id || viewer.id, ext: toExts(input.ext) }
}

function toSource(row: SourceRow): SourceForm {
  const { name, target, user_id } = row
  return { ...readRule(row), name, target, user_id, enable: row.enable === 1 }
}

function toColumns({ name, target, enable, user_id, ...rule }: SourceForm) {
  return { name, target, enable: bit(enable), user_id, rule: writeRule(rule) }
}
