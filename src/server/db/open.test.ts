import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import { openSite } from '#server/testing/site.ts'

const onServer = inject('database').engine === 'postgres'

// SQLite has no connection that could be lost.
test.runIf(onServer)(
  'a connection that breaks during a query fails only that query: the next request succeeds',
  async () => {
    const site = await openSite()
    const slow = sql`select pg_sleep(20)`.execute(site.db)
    const cut = expect(slow).rejects.toThrow(/terminat|closed/i)
    await expect
      .poll(async () => {
        const { rows } = await sql<{ cut: number }>`select count(pg_terminate_backend(pid)) as cut from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like 'select pg_sleep%'`.execute(
          site.db,
        )
        return rows[0]?.cut
      })
      .toBe(1)
    await cut
    expect(await site.root.call(users.get)).toMatchObject({ id: 1 })
    await site.close()
  },
)
