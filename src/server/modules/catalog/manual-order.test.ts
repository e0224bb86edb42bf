import { afterAll, beforeAll, expect, test } from 'vitest'
import { banners, categories, friendlinks, navigations } from '#shared/contract/site.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

/** Owners put what visitors see into the order they want. */

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const mixed = { status: 400, reason: 'rank.mixed' }

test('friend links stand as they were put, and no two weigh the same', async () => {
  const [a = 0, b = 0, c = 0, d = 0] = await befriend('甲', '乙', '丙', '丁')
  expect(await friends()).toEqual([a, b, c, d])
  await site.root.call(friendlinks.sort, { id: [d, a, b, c] })
  expect(await friends()).toEqual([d, a, b, c])
  await site.root.call(friendlinks.sort, { id: [b, a] })
  expect(await friends()).toEqual([d, b, a, c])
  const { friendlink } = await site.root.call(friendlinks.list)
  expect(new Set(friendlink.map(({ sort }) => sort)).size).toBe(friendlink.length)
  const [e = 0] = await befriend('戊')
  expect(await friends()).toEqual([d, b, a, c, e])
})

test('one that is switched off keeps its place among the others', async () => {
  const [first = 0, second = 0, third = 0] = await friends()
  const row = await site.root.call(friendlinks.get, { id: second })
  await site.root.call(friendlinks.update, { ...row, enable: false })
  await site.root.call(friendlinks.sort, { id: [third, first] })
  await site.root.call(friendlinks.update, { ...(await site.root.call(friendlinks.get, { id: second })), enable: true })
  expect((await friends()).slice(0, 3)).toEqual([third, second, first])
})

test('navigation is ordered among siblings alone', async () => {
  const make = async (title: string, parent_id = 0) =>
    (await site.root.call(navigations.create, { title, parent_id, enable: true })).id
  const top = await make('专题')
  const [one, two] = [await make('一', top), await make('二', top)]
  await site.root.call(navigations.sort, { id: [two, one] })
  await site.root.call(navigations.sort, { id: [top, 1] })
  const { navigation } = await site.call(navigations.list)
  const under = (parent: number) => navigation.filter(({ parent_id }) => parent_id === parent).map(({ id }) => id)
  expect(under(top)).toEqual([two, one])
  expect(under(0)).toEqual([top, 2, 3, 1])
  expect(await refusal(site.root.call(navigations.sort, { id: [one, 1] }))).toMatchObject(mixed)
})

test('banners are ordered among those of their type', async () => {
  const make = async (title: string, type: number) =>
    (await site.root.call(banners.create, { title, type, path: '/a.webp', enable: true })).id
  const [web, other, app] = [await make('甲', 0), await make('乙', 0), await make('丙', 2)]
  await site.root.call(banners.sort, { id: [other, web] })
  const { banner } = await site.call(banners.list, { type: [0] })
  expect(banner.map(({ id }) => id)).toEqual([other, web])
  expect(await refusal(site.root.call(banners.sort, { id: [web, app] }))).toMatchObject(mixed)
})

test('categories are ordered among siblings of their type', async () => {
  await site.root.call(categories.create, { title: '数学\n语文\n英语', type: 0, enable: true })
  await site.root.call(categories.create, { title: '数学\n随笔', type: 1, enable: true })
  const listed = async (type: number) => (await site.call(categories.list, { type: [type] })).category
  const idOf = async (title: string, type = 0) => (await listed(type)).find((row) => row.title === title)?.id ?? 0
  const [maths, chinese, english] = [await idOf('数学'), await idOf('语文'), await idOf('英语')]
  await site.root.call(categories.create, { title: '几何', parent_id: maths, type: 0, enable: true })
  await site.root.call(categories.sort, { id: [english, chinese, maths] })
  const order = (await listed(0)).filter(({ parent_id }) => parent_id === 0).map(({ id }) => id)
  expect(order.filter((id) => [maths, chinese, english].includes(id))).toEqual([english, chinese, maths])
  const strangers = [await idOf('几何'), await idOf('随笔', 1)]
  for (const id of strangers)
    expect(await refusal(site.root.call(categories.sort, { id: [maths, id] }))).toMatchObject(mixed)
})

test('what has been deleted meanwhile is said, and nothing changes', async () => {
  const before = await friends()
  const gone = site.root.call(friendlinks.sort, { id: [before.at(-1) ?? 0, 999_999, before[0] ?? 0] })
  expect(await refusal(gone)).toMatchObject({ status: 404, reason: 'rank.gone' })
  expect(await friends()).toEqual(before)
})

test('two owners at once leave one order', async () => {
  const ids = await friends()
  await Promise.all([ids.toReversed(), ids].map((id) => site.root.call(friendlinks.sort, { id })))
  const after = await friends()
  expect([ids, ids.toReversed()]).toContainEqual(after)
})

test('it takes the right to change them', async () => {
  const reader = await site.staff('FriendlinkAPI/ListFriendlink')
  expect(await refusal(reader.call(friendlinks.sort, { id: await friends() }))).toMatchObject({ status: 403 })
})

async function befriend(...titles: string[]): Promise<number[]> {
  const ids: number[] = []
  for (const title of titles)
    ids.push((await site.root.call(friendlinks.create, { title, link: 'https://example.com', enable: true })).id)
  return ids
}

async function friends(): Promise<number[]> {
  return (await site.call(friendlinks.list)).friendlink.map(({ id }) => id)
}
