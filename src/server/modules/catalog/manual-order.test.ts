import { BannerType, ContentType } from '#shared/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { categories } from '#shared/contract/catalog.ts'
import { banners, friendlinks, navigations } from '#shared/contract/site.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const mixedGroups = { status: 400, reason: 'manualOrder.mixed' }

test('friend links have the order they were given, with distinct weights', async () => {
  const [a = 0, b = 0, c = 0, d = 0] = await addFriendlinks('甲', '乙', '丙', '丁')
  expect(await listFriendlinks()).toEqual([a, b, c, d])
  await site.root.call(friendlinks.sort, { id: [d, a, b, c] })
  expect(await listFriendlinks()).toEqual([d, a, b, c])
  await site.root.call(friendlinks.sort, { id: [b, a] })
  expect(await listFriendlinks()).toEqual([d, b, a, c])
  const { friendlink } = await site.root.call(friendlinks.list)
  expect(new Set(friendlink.map(({ sort }) => sort)).size).toBe(friendlink.length)
  const [e = 0] = await addFriendlinks('戊')
  expect(await listFriendlinks()).toEqual([d, b, a, c, e])
})

test('a disabled link keeps its position among the others', async () => {
  const [first = 0, second = 0, third = 0] = await listFriendlinks()
  const row = await site.root.call(friendlinks.get, { id: second })
  await site.root.call(friendlinks.update, { ...row, enable: false })
  await site.root.call(friendlinks.sort, { id: [third, first] })
  await site.root.call(friendlinks.update, { ...(await site.root.call(friendlinks.get, { id: second })), enable: true })
  expect((await listFriendlinks()).slice(0, 3)).toEqual([third, second, first])
})

test('navigation is ordered among siblings only', async () => {
  const make = async (title: string, parent_id = 0) =>
    (await site.root.call(navigations.create, { title, parent_id, enable: true })).id
  const top = await make('专题')
  const [first, second] = [await make('一', top), await make('二', top)]
  await site.root.call(navigations.sort, { id: [second, first] })
  await site.root.call(navigations.sort, { id: [top, 1] })
  const { navigation } = await site.call(navigations.list)
  const under = (parent: number) => navigation.filter(({ parent_id }) => parent_id === parent).map(({ id }) => id)
  expect(under(top)).toEqual([second, first])
  expect(under(0)).toEqual([top, 2, 3, 1])
  expect(await refusal(site.root.call(navigations.sort, { id: [first, 1] }))).toMatchObject(mixedGroups)
})

test('banners are ordered within their type', async () => {
  const make = async (title: string, type: BannerType) =>
    (await site.root.call(banners.create, { title, type, path: '/a.webp', enable: true })).id
  const [web, otherWeb, app] = [
    await make('甲', BannerType.Website),
    await make('乙', BannerType.Website),
    await make('丙', BannerType.App),
  ]
  await site.root.call(banners.sort, { id: [otherWeb, web] })
  const { banner } = await site.call(banners.list, { type: [BannerType.Website] })
  expect(banner.map(({ id }) => id)).toEqual([otherWeb, web])
  expect(await refusal(site.root.call(banners.sort, { id: [web, app] }))).toMatchObject(mixedGroups)
})

test('categories are ordered among siblings of their type', async () => {
  await site.root.call(categories.create, { title: '数学\n语文\n英语', type: ContentType.Document, enable: true })
  await site.root.call(categories.create, { title: '数学\n随笔', type: ContentType.Article, enable: true })
  const listCategories = async (type: ContentType) => (await site.call(categories.list, { type: [type] })).category
  const findId = async (title: string, type: ContentType = ContentType.Document) =>
    (await listCategories(type)).find((row) => row.title === title)?.id ?? 0
  const [maths, chinese, english] = [await findId('数学'), await findId('语文'), await findId('英语')]
  await site.root.call(categories.create, { title: '几何', parent_id: maths, type: ContentType.Document, enable: true })
  await site.root.call(categories.sort, { id: [english, chinese, maths] })
  const order = (await listCategories(ContentType.Document))
    .filter(({ parent_id }) => parent_id === 0)
    .map(({ id }) => id)
  expect(order.filter((id) => [maths, chinese, english].includes(id))).toEqual([english, chinese, maths])
  const outsiders = [await findId('几何'), await findId('随笔', ContentType.Article)]
  for (const id of outsiders)
    expect(await refusal(site.root.call(categories.sort, { id: [maths, id] }))).toMatchObject(mixedGroups)
})

test('an order with a deleted row is refused, and nothing changes', async () => {
  const before = await listFriendlinks()
  const sorting = site.root.call(friendlinks.sort, { id: [before.at(-1) ?? 0, 999_999, before[0] ?? 0] })
  expect(await refusal(sorting)).toMatchObject({ status: 404, reason: 'manualOrder.gone' })
  expect(await listFriendlinks()).toEqual(before)
})

test('concurrent changes leave one of the orders', async () => {
  const ids = await listFriendlinks()
  await Promise.all([ids.toReversed(), ids].map((id) => site.root.call(friendlinks.sort, { id })))
  const after = await listFriendlinks()
  expect([ids, ids.toReversed()]).toContainEqual(after)
})

test('sorting needs the permission', async () => {
  const reader = await site.staff('FriendlinkAPI/ListFriendlink')
  expect(await refusal(reader.call(friendlinks.sort, { id: await listFriendlinks() }))).toMatchObject({ status: 403 })
})

async function addFriendlinks(...titles: string[]): Promise<number[]> {
  const ids: number[] = []
  for (const title of titles)
    ids.push((await site.root.call(friendlinks.create, { title, link: 'https://example.com', enable: true })).id)
  return ids
}

async function listFriendlinks(): Promise<number[]> {
  return (await site.call(friendlinks.list)).friendlink.map(({ id }) => id)
}
