import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineOf } from '#server/db/engine.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { accepting } from './visibility.ts'

let site: Library
beforeAll(async () => {
  site = await openLibrary()
})
afterAll(() => site.close())

test('a filter may look like anything, the mark of the ids too', async () => {
  const [fits = 0, other = 0] = await site.shelve({ language: '[-1]' }, {}, { language: '[-1]' })
  const query = site.db.selectFrom('document').select('id').where('language', '=', '[-1]')
  const accept = accepting(site.db, 'document.id', query)
  expect(await accept([fits, other])).toEqual([fits])
  const { statement } = accept
  expect(statement !== undefined).toBe(engineOf(site.db) === 'sqlite')
  if (!statement) return
  // As the search processes ask it.
  const parameters = statement.parameters.with(statement.ids, JSON.stringify([fits, other]))
  const { rows } = await site.db.executeQuery(CompiledQuery.raw(statement.sql, [...parameters]))
  expect(rows).toEqual([{ id: fits }])
})
