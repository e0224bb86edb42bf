import { afterAll, beforeAll, expect, test } from 'vitest'
import { savedViews } from '#shared/contract/saved-views.ts'
import { users } from '#shared/contract/users.ts'
import { rootPassword } from '#server/testing/databases/template.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

let site: Site
let editor: Person
beforeAll(async () => {
  site = await openSite()
  editor = await site.staff('DocumentAPI/ListDocument')
})
afterAll(() => site.close())

const screen = '/admin/document/list'
const namesOf = async (person: Person, at = screen) =>
  (await person.call(savedViews.list, { screen: at })).view.map(({ name }) => name)

test('a view is saved with the account, for its list alone, and replaced by one of the same name', async () => {
  const view = { screen, name: '待审的课件', query: 'status=6&order=id+asc', column: ['title', 'status'] }
  const saved = await editor.call(savedViews.save, view)
  expect(await editor.call(savedViews.list, { screen })).toEqual({
    view: [{ id: saved.id, name: view.name, query: view.query, column: view.column }],
  })
  expect(await namesOf(editor, '/admin/comment')).toEqual([])
  await editor.call(savedViews.save, { ...view, query: 'status=7' })
  expect(await editor.call(savedViews.list, { screen })).toMatchObject({ view: [{ id: saved.id, query: 'status=7' }] })
})

test('members see and delete their own views alone', async () => {
  const [one, other] = [await site.member(), await site.member()]
  const { id } = await one.call(savedViews.save, { screen, name: '我的' })
  expect(await namesOf(other)).toEqual([])
  await other.call(savedViews.delete, { id: [id] })
  expect(await namesOf(one)).toEqual(['我的'])
  await one.call(savedViews.delete, { id: [id] })
  expect(await namesOf(one)).toEqual([])
  expect(await refusal(site.call(savedViews.list, { screen }))).toMatchObject({ status: 401 })
})

test('their number is limited, and they go with the account', async () => {
  const person = await site.member()
  const now = Date.now()
  const rows = Array.from({ length: 199 }, (_, n) => ({
    user_id: person.id,
    screen,
    name: `视图 ${n}`,
    created_at: now,
    updated_at: now,
  }))
  await site.db.insertInto('saved_view').values(rows).execute()
  await person.call(savedViews.save, { screen, name: '第 200 个' })
  await person.call(savedViews.save, { screen, name: '第 200 个', query: 'wd=改' })
  expect(await refusal(person.call(savedViews.save, { screen, name: '再一个' }))).toMatchObject({
    reason: 'users.tooManyViews',
  })
  await site.root.call(users.delete, { id: [person.id], password: rootPassword })
  const left = await site.db.selectFrom('saved_view').select('id').where('user_id', '=', person.id).execute()
  expect(left).toEqual([])
})
