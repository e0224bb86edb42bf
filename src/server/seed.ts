import { type Ctx, transaction } from './context.ts'
import { addMissingPermissions, seedGroups } from './modules/access/access.seed.ts'
import { seedArticles } from './modules/articles/articles.seed.ts'
import { seedLanguages, seedNavigation } from './modules/site/site.seed.ts'
import { seedAdministrator } from './modules/users/users.seed.ts'

export interface Seeded {
  /** The first administrator was made just now. */
  administrator: boolean
}

/** What a new site starts with. Each part is laid down once: what an owner deletes does not come back. */
export async function seed(ctx: Ctx, { adminPassword }: { adminPassword: () => string }): Promise<Seeded> {
  await addMissingPermissions(ctx)
  await once(ctx, 'groups', seedGroups)
  await once(ctx, 'navigation', seedNavigation)
  await once(ctx, 'languages', seedLanguages)
  const administrator = await once(ctx, 'administrator', (ctx) => seedAdministrator(ctx, adminPassword()))
  await once(ctx, 'articles', seedArticles)
  return { administrator }
}

function once(ctx: Ctx, name: string, lay: (ctx: Ctx) => Promise<void>): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const { numInsertedOrUpdatedRows } = await ctx.db
      .insertInto('seed')
      .values({ name, at: ctx.now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) return false
    await lay(ctx)
    return true
  })
}
