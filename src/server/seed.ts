import { type Ctx, transaction } from './context.ts'
import { addMissingPermissions, seedGroups } from './modules/access/access.seed.ts'
import { seedArticles } from './modules/articles/articles.seed.ts'
import { seedLanguages, seedNavigation } from './modules/site/site.seed.ts'
import { seedAdministrator } from './modules/users/users.seed.ts'

export interface SeedResult {
  /** The first administrator was created just now. */
  administrator: boolean
}

/** The initial content of a site. Each part is added once: what the owner deletes does not come back. */
export async function seed(ctx: Ctx, { adminPassword }: { adminPassword: string }): Promise<SeedResult> {
  await addMissingPermissions(ctx)
  await seedOnce(ctx, 'groups', seedGroups)
  await seedOnce(ctx, 'navigation', seedNavigation)
  await seedOnce(ctx, 'languages', seedLanguages)
  const administrator = await seedOnce(ctx, 'administrator', (ctx) => seedAdministrator(ctx, adminPassword))
  await seedOnce(ctx, 'articles', seedArticles)
  return { administrator }
}

function seedOnce(ctx: Ctx, name: string, fill: (ctx: Ctx) => Promise<void>): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const { numInsertedOrUpdatedRows } = await ctx.db
      .insertInto('seed')
      .values({ name, at: ctx.now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) return false
    await fill(ctx)
    return true
  })
}
