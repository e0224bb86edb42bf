import { nameKey } from '#shared/names.ts'
import { administratorsId } from '#shared/permissions.ts'
import type { Ctx } from '#server/context.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { setGroups } from './users.queries.ts'

const username = 'admin'

/** Root, in the administrators' group. */
export async function seedAdministrator(ctx: Ctx, password: string): Promise<void> {
  const { db, now } = ctx
  assertStrongPassword(ctx, password, { username, email: '' })
  const { id } = await db
    .insertInto('user')
    .values({
      username,
      username_key: nameKey(username),
      password: await hashPassword(password),
      is_root: 1,
      login_at: null,
      created_at: now(),
      updated_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setGroups(db, id, [administratorsId])
}
