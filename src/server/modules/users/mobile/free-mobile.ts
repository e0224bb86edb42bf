import type { Ctx } from '#server/context.ts'

/** Takes a number from every account that has it, but for one: its holder has proven to be someone else. */
export async function freeMobile(ctx: Ctx, mobile: string, keptBy = 0): Promise<void> {
  await ctx.db
    .updateTable('user')
    .set({ mobile: '', mobile_verified_at: null, updated_at: ctx.now() })
    .where('mobile', '=', mobile)
    .where('id', '<>', keptBy)
    .execute()
}
