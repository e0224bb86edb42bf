import { expect, test } from 'vitest'
import { copyDatabase } from '#server/testing/databases/database.ts'
import { migrate, migrations } from './migrate.ts'
import { openDatabase } from './open.ts'

test('on a site of the version before, the first user owns the site, and no other can be added', async () => {
  const copy = await copyDatabase({ empty: true })
  const database = openDatabase(copy.url, { durable: false })
  try {
    await migrate(
      database,
      migrations.findIndex(([name]) => name === '0014-owner-of-the-site'),
    )
    const people = ['admin', 'second', 'third'].map((username) => ({
      username,
      username_key: username,
      password: '',
      login_at: null,
      created_at: 0,
      updated_at: 0,
    }))
    await database.db.insertInto('user').values(people).execute()
    await migrate(database)
    const users = await database.db.selectFrom('user').select(['id', 'is_root']).orderBy('id').execute()
    expect(users.map(({ is_root }) => is_root)).toEqual([1, 0, 0])
    const second = database.db.updateTable('user').set({ is_root: 1 }).where('username', '=', 'second').execute()
    await expect(second).rejects.toThrow()
  } finally {
    await database.db.destroy()
    await copy.remove()
  }
})
