import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups } from '#shared/contract/access.ts'
import { attachments } from '#shared/contract/attachments.ts'
import { categories } from '#shared/contract/catalog.ts'
import { advertisements, banners, friendlinks, navigations } from '#shared/contract/site.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { tinyPdf, uploadForm } from '#server/testing/upload.ts'

/** The switches in the lists of the back office change one field, whatever else changes meanwhile. */

let site: Site
let root: Person
let count = 0
beforeAll(async () => {
  site = await openSite()
  root = site.root
})
afterAll(() => site.close())

const switches: [name: string, area: Switchable, key: string, create: () => Promise<number>][] = [
  ['a navigation entry', navigations, 'enable', async () => (await createNavigation()).id],
  ['a friend link', friendlinks, 'enable', async () => (await createFriendlink()).id],
  ['a banner', banners, 'enable', createBanner],
  ['an advertisement', advertisements, 'enable', createAdvertisement],
  ['a category', categories, 'enable', createCategory],
  ['an attachment', attachments, 'enable', createAttachment],
  ['a group', groups, 'is_display', createGroup],
]

interface Switchable {
  get: Endpoint
  patch: Endpoint
}

test.each(switches)('switching %s changes nothing else', async (_name, { get, patch }, key, create) => {
  const id = await create()
  const before = await root.call(get, { id })
  for (const isOn of [false, true]) {
    await root.call(patch, { id, [key]: isOn })
    expect(await root.call(get, { id })).toEqual({ ...(before as object), [key]: isOn, updated_at: expect.any(Number) })
  }
})

test.each(switches)('switching %s needs its id and the new state', async (_name, { patch }, key, create) => {
  expect(await refusal(root.call(patch, { id: 999_999, [key]: true }))).toMatchObject({ status: 404 })
  expect(await refusal(root.call(patch, { id: await create() }))).toMatchObject({ status: 400 })
})

describe('two administrators', () => {
  test('can switch and reorder the same rows concurrently without losing a change', async () => {
    const colleague = await site.staff('FriendlinkAPI/UpdateFriendlink', 'FriendlinkAPI/ListFriendlink')
    for (let round = 0; round < 10; round += 1) {
      const [first, second] = [await createFriendlink(), await createFriendlink()]
      await Promise.all([
        root.call(friendlinks.patch, { id: first.id, enable: false }),
        colleague.call(friendlinks.sort, { id: [second.id, first.id] }),
      ])
      const { friendlink } = await root.call(friendlinks.list, { order: 'sort desc' })
      const ids = friendlink.map(({ id }) => id)
      expect(friendlink.find(({ id }) => id === first.id)).toMatchObject({ enable: false })
      expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id))
    }
  })

  test('can save a form and switch in an older list without losing a change', async () => {
    const colleague = await site.staff('NavigationAPI/UpdateNavigation')
    const navigation = await createNavigation()
    await colleague.call(navigations.update, { ...navigation, title: '改名' })
    await root.call(navigations.patch, { id: navigation.id, enable: false })
    expect(await site.call(navigations.get, { id: navigation.id })).toMatchObject({ title: '改名', enable: false })
  })
})

function createNavigation() {
  return root.call(navigations.create, { title: `导航 ${(count += 1)}`, href: '/x', sort: 7, enable: true })
}

function createFriendlink() {
  return root.call(friendlinks.create, { title: `友链 ${(count += 1)}`, link: 'https://example.com', enable: true })
}

async function createBanner(): Promise<number> {
  const form = { title: '横幅', path: '/a.webp', end_time: 4_000_000_000_000, enable: true }
  return (await root.call(banners.create, form)).id
}

async function createAdvertisement(): Promise<number> {
  const form = { position: 'index_link_top', content: '<b>广告</b>', enable: true }
  return (await root.call(advertisements.create, form)).id
}

async function createCategory(): Promise<number> {
  const title = `分类 ${(count += 1)}`
  await root.call(categories.create, { title, description: '说明', sort: 3, enable: true })
  const { category } = await root.call(categories.list)
  return category.find((row) => row.title === title)?.id ?? 0
}

async function createAttachment(): Promise<number> {
  return (await uploadForm(site, await site.member(), { name: 'a.pdf', bytes: tinyPdf(`${(count += 1)}`) })).id
}

async function createGroup(): Promise<number> {
  const form = { title: `组 ${(count += 1)}`, color: '#fff', enable_upload: true, is_display: true }
  return (await root.call(groups.create, form)).id
}
