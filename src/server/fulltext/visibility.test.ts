import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getEngine } from '#server/db/engine.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { visibilityFilter } from './visibility.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())

test('a condition of the query may have the value that stands for the ids', async () => {
  const [visible = 0, hidden = 0] = await site.addDocuments({ language: '[-1]' }, {}, { language: '[-1]' })
  const query = site.db.selectFrom('document').select('id').where('language', '=', '[-1]')
  const { sql, parameters, idsParameter } = visibilityFilter(site.db, 'document.id', query)
  const ids = [visible, hidden]
  const values = parameters.with(idsParameter, getEngine(site.db) === 'sqlite' ? JSON.stringify(ids) : ids)
  const { rows } = await site.db.executeQuery(CompiledQuery.raw(sql, [...values]))
  expect(rows).toEqual([{ id: visible }])
})

test('a filter of uncommitted rows is refused', async () => {
  await site.db.transaction().execute(async (transaction) => {
    const query = transaction.selectFrom('document').select('id')
    expect(() => visibilityFilter(transaction, 'document.id', query)).toThrow('transaction')
  })
})
