import { nameKey } from '#shared/names.ts'
import { rootId } from '#shared/permissions.ts'
import type { Ctx } from '#server/context.ts'
import { hashPassword } from '#server/modules/auth/passwords.ts'
import { setGroups } from './users.queries.ts'

const username = 'admin'

/** Root, in the first group. */
export async function seedAdministrator({ db, now }: Ctx, password: string): Promise<void> {
  const { id } = await db
    .insertInto('user')
    .values({
      username,
      username_key: nameKey(username),
      password: await hashPassword(password),
      login_at: null,
      created_at: now(),
      updated_at: now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (id !== rootId) throw new Error(`the first administrator must be user ${rootId}, not ${id}`)
  const { id: groupId } = await db.selectFrom('group').select('id').orderBy('id').executeTakeFirstOrThrow()
  await setGroups(db, id, [groupId])
}
