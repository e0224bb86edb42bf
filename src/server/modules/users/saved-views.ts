import type { savedViews } from '#shared/contract/saved-views.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { Handlers } from '#server/http/api/mount.ts'

const maxPerMember = 200

export const savedViewRoutes: Handlers<typeof savedViews> = {
  async list({ db, viewer }, { screen }) {
    const rows = await db
      .selectFrom('saved_view')
      .select(['id', 'name', 'query', 'columns'])
      .where('user_id', '=', viewer.id)
      .where('screen', '=', screen)
      .orderBy('id')
      .execute()
    return { view: rows.map(present) }
  },
  save: saveView,
  async delete({ db, viewer }, { id }) {
    await db.deleteFrom('saved_view').where('id', 'in', id).where('user_id', '=', viewer.id).execute()
    return {}
  },
}

function saveView(
  ctx: MemberCtx,
  { screen, name, query, column }: Input<typeof savedViews.save>,
): Promise<Reply<typeof savedViews.save>> {
  const columns = column.join(',')
  const now = ctx.now()
  return transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'user', [ctx.viewer.id])
    const row = await ctx.db
      .insertInto('saved_view')
      .values({ user_id: ctx.viewer.id, screen, name, query, columns, created_at: now, updated_at: now })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'screen', 'name']).doUpdateSet({ query, columns, updated_at: now }),
      )
      .returning(['id', 'name', 'query', 'columns'])
      .executeTakeFirstOrThrow()
    const { count } = await ctx.db
      .selectFrom('saved_view')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', ctx.viewer.id)
      .executeTakeFirstOrThrow()
    if (count > maxPerMember) throw errors.users.tooManyViews(maxPerMember)
    return present(row)
  })
}

function present({ columns, ...row }: { id: number; name: string; query: string; columns: string }) {
  return { ...row, column: columns.split(',').filter(Boolean) }
}
