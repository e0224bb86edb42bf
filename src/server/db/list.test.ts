import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'
import { listRows, type ListRequest, type ListRules } from './list.ts'

let site: Site
const titles = ['100%', '100x', 'C_D', 'CxD', 'back\\slash', '中文 资料', "quote'", 'Ärger']
const rules: ListRules = { search: ['title', 'description'], order: [['id', 'asc']], sortable: ['title'] }

beforeAll(async () => {
  site = await openSite()
  await site.db
    .insertInto('friendlink')
    .values(titles.map((title) => ({ title, link: '/', sort: 0, enable: 1, created_at: 0, updated_at: 0 })))
    .execute()
})
afterAll(() => site.close())

test.each([
  ['100%', ['100%']],
  ['c_d', ['C_D']],
  ['\\', ['back\\slash']],
  ["'", ["quote'"]],
  ['中 资', ['中文 资料']],
  ['  ', titles],
  ['nothing like it', []],
])('the words %j find %j', async (wd, expected) => {
  expect((await list({ wd })).rows.map(({ title }) => title)).toEqual(expected)
})

test.each([
  [{ page: 1, size: 3 }, 3],
  [{ page: 3, size: 3 }, 2],
  [{ page: 99, size: 3 }, 0],
  [{ page: -5, size: 3 }, 3],
  [{ page: 0, size: 0 }, 8],
  [{ page: 1, size: -1 }, 8],
  [{ page: 9_007_199_254_740_991, size: 9_007_199_254_740_991 }, 0],
])('%j has %d rows, and the total stays the same', async (paging, rows) => {
  const listed = await list(paging)
  expect(listed.rows).toHaveLength(rows)
  expect(listed.total).toBe(8)
})

test('pages beyond the maximum offset are empty, and the total stays the same', async () => {
  const getPage = (page: number) =>
    listRows(
      site.db.selectFrom('friendlink').selectAll(),
      { page, size: 2, wd: '', order: '' },
      { ...rules, maxOffset: 4 },
    )
  expect((await getPage(3)).rows.map(({ title }) => title)).toEqual(titles.slice(4, 6))
  expect(await getPage(4)).toEqual({ total: 8, rows: [] })
  expect(await getPage(1_000_000)).toEqual({ total: 8, rows: [] })
})

test('with a single-index order, ties follow the direction of the first requested column', async () => {
  const ids = async (order: string) => {
    const { rows } = await listRows(
      site.db.selectFrom('friendlink').selectAll(),
      { page: 1, size: 0, wd: '', order },
      { ...rules, sortable: ['sort', 'title'], singleIndexOrder: true },
    )
    return rows.map(({ id }) => id)
  }
  const ascending = await ids('')
  expect(await ids('sort asc, title')).toEqual(ascending)
  expect(await ids('sort desc, title')).toEqual(ascending.toReversed())
  expect(await ids('id desc')).toEqual(ascending.toReversed())
})

test('only allowed columns can be ordered by', async () => {
  const first = async (order: string) => (await list({ order, size: 1 })).rows[0]?.title
  expect(await first('title desc, id')).toBe((await titlesBy('desc'))[0])
  expect(await first('TITLE ASC')).toBe((await titlesBy('asc'))[0])
  expect(await first('link; drop table user')).toBe('100%')
  expect(await first('id desc')).toBe('Ärger')
})

test('null sorts as the lowest value, in both directions', async () => {
  const stamps = { created_at: 0, updated_at: 0 }
  const users = [null, 2, 1].map((login_at) => ({ username: `日期 ${login_at}`, password: '', login_at, ...stamps }))
  await site.db
    .insertInto('user')
    .values(users.map((user) => ({ ...user, username_key: user.username })))
    .execute()
  const dates = async (order: string) => {
    const { rows } = await listRows(
      site.db.selectFrom('user').select('login_at').where('username', 'like', '日期%'),
      { page: 1, size: 0, wd: '', order },
      { order: [['id', 'asc']], sortable: ['login_at'], nullable: ['login_at'] },
    )
    return rows.map(({ login_at }) => login_at)
  }
  expect(await dates('login_at desc')).toEqual([2, 1, null])
  expect(await dates('login_at asc')).toEqual([null, 1, 2])
})

test('pages of tied rows neither repeat nor skip a row', async () => {
  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) =>
      listRows(
        site.db.selectFrom('friendlink').selectAll(),
        { page, size: 2, wd: '', order: 'sort desc' },
        { ...rules, sortable: ['sort'] },
      ),
    ),
  )
  const ids = pages.flatMap(({ rows }) => rows.map(({ id }) => id))
  expect(new Set(ids).size).toBe(titles.length)
})

async function titlesBy(direction: 'asc' | 'desc'): Promise<string[]> {
  const rows = await site.db.selectFrom('friendlink').select('title').orderBy('title', direction).execute()
  return rows.map(({ title }) => title)
}

function list(request: Partial<ListRequest>) {
  const full = { page: 0, size: 0, wd: '', order: '', ...request }
  return listRows(site.db.selectFrom('friendlink').selectAll(), full, rules)
}
