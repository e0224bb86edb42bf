import { CompiledQuery } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openSite } from '#server/testing/site.ts'
import { findLostExtractions } from './repair.ts'

test('readings that were lost are looked for among the unread alone, however many documents there are', async () => {
  const site = await openSite()
  onTestFinished(() => site.close())
  const isPostgres = inject('database').engine === 'postgres'
  const { sql, parameters } = findLostExtractions(site.db).compile()
  const plan = await site.db.transaction().execute(async (db) => {
    // A table this small would be read whole.
    if (isPostgres) await db.executeQuery(CompiledQuery.raw('set local enable_seqscan = off'))
    return db.executeQuery(CompiledQuery.raw(`explain ${isPostgres ? '' : 'query plan'} ${sql}`, [...parameters]))
  })
  expect(JSON.stringify(plan.rows)).toContain('rendition_unread')
})
