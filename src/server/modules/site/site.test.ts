import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advertisements, friendlinks, navigations } from '#shared/contract/site.ts'
import { users } from '#shared/contract/users.ts'
import { adFramePath } from '#shared/ad-frame.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

const hour = 3_600_000
const scriptLinks = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example',
  '/\\evil.example',
  'evil.example',
  'https://a b',
]
const markup = '<script>alert("导航")</script>&amp;'

let site: Site
let count = 0
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('navigation', () => {
  test('starts with the three fixed entries', async () => {
    const { navigation } = await site.call(navigations.list)
    expect(navigation.map(({ title, href, fixed }) => [title, href, fixed])).toEqual([
      ['首页', '/', true],
      ['文库资料', '/category', true],
      ['文章资讯', '/article', true],
    ])
  })

  test('a new entry is stored as sent, and is never fixed', async () => {
    const { json, status } = await site.send('POST', '/api/v1/navigation', {
      token: site.root.token,
      body: { title: '论坛', href: 'https://bbs.example.com', target: '_blank', sort: 5, enable: true, fixed: true },
    })
    expect(status).toBe(200)
    const stored = await site.call(navigations.get, { id: Number(json.id) })
    expect(stored).toMatchObject({ title: '论坛', target: '_blank', enable: true, fixed: false, parent_id: 0 })
  })

  test('disabled entries are returned too, marked as such', async () => {
    const { id } = await entry({ enable: false })
    const { navigation } = await site.call(navigations.list)
    expect(navigation.find((row) => row.id === id)).toMatchObject({ enable: false })
  })

  test('entries are ordered by weight', async () => {
    const light = await entry({ sort: 10 })
    const heavy = await entry({ sort: 200_000 })
    const { navigation } = await site.call(navigations.list)
    const order = navigation.map(({ id }) => id)
    expect(order[0]).toBe(heavy.id)
    expect(order.indexOf(light.id)).toBeGreaterThan(order.indexOf(heavy.id))
  })

  test('an entry that becomes its own parent moves to the top level', async () => {
    const top = await entry()
    const { id, ...form } = await entry({ parent_id: top.id })
    await site.root.call(navigations.update, { ...form, id, parent_id: id })
    expect((await site.call(navigations.get, { id })).parent_id).toBe(0)
  })

  test('an update cannot make an entry fixed, nor free one', async () => {
    const { id } = await entry()
    const put = (body: object) => site.send('PUT', '/api/v1/navigation', { token: site.root.token, body })
    expect((await put({ id, title: 'mine', fixed: true })).status).toBe(200)
    expect((await put({ id: 1, title: '主页', href: '/', fixed: false, enable: true, sort: 102_400 })).status).toBe(200)
    expect(await site.call(navigations.get, { id })).toMatchObject({ title: 'mine', fixed: false })
    expect(await site.call(navigations.get, { id: 1 })).toMatchObject({ title: '主页', fixed: true })
  })

  test('deleting an entry deletes its descendants', async () => {
    const root = await entry()
    const child = await entry({ parent_id: root.id })
    const older = await entry()
    // From a version that allowed deeper levels.
    await site.db.updateTable('navigation').set({ parent_id: child.id }).where('id', '=', older.id).execute()
    const other = await entry()
    await site.root.call(navigations.delete, { id: [root.id] })
    for (const { id } of [root, child, older]) {
      expect(await refusal(site.call(navigations.get, { id }))).toMatchObject({ status: 404 })
    }
    expect((await site.call(navigations.get, { id: other.id })).id).toBe(other.id)
  })

  test('an entry that is moved under its own descendant moves to the top level', async () => {
    const parent = await entry()
    const child = await entry({ parent_id: parent.id })
    await site.root.call(navigations.update, { ...parent, parent_id: child.id })
    expect((await site.call(navigations.get, { id: parent.id })).parent_id).toBe(0)
  })

  test('there are two levels at most, as the header shows', async () => {
    const top = await entry()
    const child = await entry({ parent_id: top.id })
    const other = await entry()
    const tooDeep = { status: 400, reason: 'navigations.tooDeep' }
    expect(await refusal(entry({ parent_id: child.id }))).toMatchObject(tooDeep)
    expect(await refusal(site.root.call(navigations.update, { ...other, parent_id: child.id }))).toMatchObject(tooDeep)
    expect(await refusal(site.root.call(navigations.update, { ...top, parent_id: other.id }))).toMatchObject(tooDeep)
    expect(await refusal(entry({ parent_id: 999_999 }))).toMatchObject({ reason: 'navigations.parentUnknown' })
    await site.root.call(navigations.update, { ...child, parent_id: other.id })
    expect((await site.call(navigations.get, { id: child.id })).parent_id).toBe(other.id)
    await site.root.call(navigations.update, { ...child, title: 'renamed', parent_id: other.id })
  })

  test('deleting keeps the fixed entries', async () => {
    const { id } = await entry()
    await site.root.call(navigations.delete, { id: [1, 2, 3, id] })
    const { navigation } = await site.call(navigations.list)
    expect(navigation.filter(({ fixed }) => fixed).map((row) => row.id)).toEqual([1, 2, 3])
    expect(navigation.map((row) => row.id)).not.toContain(id)
  })

  test.each(scriptLinks)('the address %j is refused', async (href) => {
    expect(await refusal(entry({ href }))).toMatchObject({ status: 400, reason: 'request.invalid' })
  })

  test.each(['', '/', '/category/1?a=b#c', '#top', 'https://example.com/x', 'HTTP://EXAMPLE.COM'])(
    'the address %j is accepted',
    async (href) => {
      expect((await entry({ href })).href).toBe(href)
    },
  )

  test.each(['red;x:y', 'expression(1)', 'url(//evil.example)', 'var(--x)', '"'])(
    'the color %j is refused',
    async (color) => {
      expect(await refusal(entry({ color }))).toMatchObject({ status: 400, reason: 'request.invalid' })
    },
  )

  test.each(['red', '#fff', '#1f6f5c', 'rgb(1, 2, 3)', 'rgba(1,2,3,.5)'])('the color %j is accepted', async (color) => {
    expect((await entry({ color })).color).toBe(color)
  })

  test('markup in titles is stored as text', async () => {
    const { id } = await entry({ title: markup, description: markup })
    const { json, headers } = await site.send('GET', `/api/v1/navigation?id=${id}`)
    expect(json).toMatchObject({ title: markup, description: markup })
    expect(headers.get('content-type')).toContain('application/json')
  })

  test('only managers can search it', async () => {
    await entry({ title: 'needle' })
    expect((await site.root.call(navigations.list, { wd: 'needle' })).total).toBe(1)
    expect((await site.call(navigations.list, { wd: 'needle' })).total).toBeGreaterThan(3)
  })

  test('an entry that does not exist is not found', async () => {
    const notFound = { status: 404, reason: 'records.notFound' }
    expect(await refusal(site.call(navigations.get, { id: 999_999 }))).toMatchObject(notFound)
    expect(await refusal(site.root.call(navigations.update, { id: 999_999, title: 'x' }))).toMatchObject(notFound)
  })
})

describe('friend links', () => {
  test('that are disabled are shown only to their managers', async () => {
    const visible = await friend({ enable: true })
    const hidden = await friend({ enable: false, title: 'hidden friend' })
    const manager = await site.staff('FriendlinkAPI/ListFriendlink')
    const visibleTo = async (caller: Site['call'], query = {}) =>
      (await caller(friendlinks.list, query)).friendlink.map(({ id }) => id)
    expect(await visibleTo(site.call)).toContain(visible.id)
    expect(await visibleTo(site.call)).not.toContain(hidden.id)
    expect(await visibleTo(site.call, { enable: [false] })).toEqual([])
    expect(await visibleTo(site.call, { enable: [true, false] })).not.toContain(hidden.id)
    expect(await refusal(site.call(friendlinks.get, { id: hidden.id }))).toMatchObject({ status: 404 })
    expect(await visibleTo(manager.call)).toEqual(expect.arrayContaining([visible.id, hidden.id]))
    expect(await visibleTo(manager.call, { enable: [false] })).toContain(hidden.id)
    expect(await visibleTo(manager.call, { wd: 'HIDDEN' })).toEqual([hidden.id])
    expect((await manager.call(friendlinks.get, { id: hidden.id })).title).toBe('hidden friend')
  })

  test('are ordered by weight', async () => {
    const light = await friend({ sort: -1 })
    const heavy = await friend({ sort: 999 })
    const order = (await site.call(friendlinks.list)).friendlink.map(({ id }) => id)
    expect(order.indexOf(heavy.id)).toBe(0)
    expect(order.indexOf(light.id)).toBe(order.length - 1)
  })

  test('are changed and deleted', async () => {
    const link = await friend()
    await site.root.call(friendlinks.update, { ...link, title: 'renamed' })
    expect((await site.call(friendlinks.get, { id: link.id })).title).toBe('renamed')
    await site.root.call(friendlinks.delete, { id: [link.id, 999_999] })
    expect(await refusal(site.call(friendlinks.get, { id: link.id }))).toMatchObject({ status: 404 })
  })

  test.each(scriptLinks)('the address %j is refused', async (link) => {
    expect(await refusal(friend({ link }))).toMatchObject({ status: 400, reason: 'request.invalid' })
  })

  test('store markup in titles as text', async () => {
    const { id } = await friend({ title: markup, description: markup })
    expect((await site.send('GET', `/api/v1/friendlink?id=${id}`)).json).toMatchObject({ title: markup })
  })
})

describe('advertisements', () => {
  test('are shown at their position within their schedule', async () => {
    site.freezeClock()
    const { now } = await site.app.context()
    const start = now()
    const always = await advertise()
    const bounded = await advertise({ start_time: start + hour, end_time: start + 2 * hour })
    const ended = await advertise({ end_time: start })
    const off = await advertise({ enable: false })
    expect(await visibleAdIds('index_link_top')).toEqual([always.id])
    site.advanceClock(hour - 1)
    expect(await visibleAdIds('index_link_top')).toEqual([always.id])
    site.advanceClock(1)
    expect(await visibleAdIds('index_link_top')).toEqual([always.id, bounded.id])
    site.advanceClock(hour)
    expect(await visibleAdIds('index_link_top')).toEqual([always.id])
    expect(await visibleAdIds('user_top')).toEqual([])
    expect([ended.id, off.id]).not.toContain(always.id)
  })

  test('are returned for several positions, or all', async () => {
    const top = await advertise({ position: 'global_top' })
    const bottom = await advertise({ position: 'global_bottom' })
    expect(await visibleAdIds('global_top', 'global_bottom')).toEqual([top.id, bottom.id])
    expect(await visibleAdIds()).toEqual(expect.arrayContaining([top.id, bottom.id]))
  })

  test('do not show visitors internal fields', async () => {
    const { id } = await advertise({ position: 'list_nav_bottom', remark: 'paid until March' })
    const { text } = await site.send('GET', '/api/v1/advertisement/position?position=list_nav_bottom')
    expect(text).toContain(`"id":${id}`)
    expect(text).not.toMatch(/paid until March|user_id/)
    expect(await site.root.call(advertisements.get, { id })).toMatchObject({ remark: 'paid until March', user_id: 1 })
  })

  test('are listed, searched and filtered by their managers', async () => {
    const { id } = await advertise({ position: 'search_right', title: 'autumn sale', enable: false })
    const list = async (query: Partial<CallInput<typeof advertisements.list>>) =>
      (await site.root.call(advertisements.list, query)).advertisement.map((row) => row.id)
    expect(await list({ wd: 'Autumn' })).toEqual([id])
    expect(await list({ position: ['search_right'] })).toEqual([id])
    expect(await list({ position: ['search_right'], enable: [true] })).toEqual([])
  })

  test('run on when their end is removed', async () => {
    const { now } = await site.app.context()
    const ad = await advertise({ position: 'document_between', end_time: now() - 1 })
    expect(await visibleAdIds('document_between')).toEqual([])
    await site.root.call(advertisements.update, { ...ad, end_time: null })
    expect(await visibleAdIds('document_between')).toEqual([ad.id])
  })

  test('must end after their start', async () => {
    const { now } = await site.app.context()
    for (const end_time of [now(), now() - hour])
      expect(await refusal(advertise({ start_time: now(), end_time }))).toMatchObject({
        status: 400,
        reason: 'schedule.backward',
      })
    const ad = await advertise({ start_time: now(), end_time: now() + hour })
    const backward = site.root.call(advertisements.update, { ...ad, end_time: now() - hour })
    expect(await refusal(backward)).toMatchObject({ reason: 'schedule.backward' })
  })

  test('run no scripts unless the owner allows it for each', async () => {
    const script = '<script>document.write(1)</script>'
    const closed = await advertise({ content: script })
    const open = await advertise({ content: script, allow_scripts: true })
    const { advertisement } = await site.call(advertisements.position, { position: ['index_link_top'] })
    const allowed = new Map(advertisement.map(({ id, allow_scripts }) => [id, allow_scripts]))
    expect([allowed.get(closed.id), allowed.get(open.id)]).toEqual([false, true])
    expect((await site.request(adFramePath(closed.id))).status).toBe(404)
    expect((await site.request(adFramePath(open.id))).status).toBe(200)
    // A client that does not know the field takes the permission back.
    const { allow_scripts: _, ...form } = await site.root.call(advertisements.get, { id: open.id })
    await site.root.call(advertisements.update, form)
    expect((await site.request(adFramePath(open.id))).status).toBe(404)
  })

  test('with scripts have an opaque origin, in a frame of the site and when opened alone', async () => {
    const { id } = await advertise({
      content: '<b>联盟</b><script src="https://ads.example/a.js"></script>',
      allow_scripts: true,
    })
    const frame = await site.request(adFramePath(id))
    expect(await frame.text()).toContain('<b>联盟</b><script src="https://ads.example/a.js"></script>')
    const policy = frame.headers.get('content-security-policy') ?? ''
    expect(policy).toContain('sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox;')
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).not.toContain('allow-same-origin')
    expect(frame.headers.get('x-robots-tag')).toBe('noindex')
  })

  test('with scripts are gone with the end of their schedule', async () => {
    const { now } = await site.app.context()
    const ended = await advertise({ allow_scripts: true, end_time: now() })
    const off = await advertise({ allow_scripts: true, enable: false })
    for (const path of [adFramePath(ended.id), adFramePath(off.id), adFramePath(999_999)])
      expect((await site.request(path)).status, path).toBe(404)
  })

  test('at a position that no longer exists are still listed', async () => {
    const { id } = await advertise()
    await site.db.updateTable('advertisement').set({ position: 'long_ago' }).where('id', '=', id).execute()
    const { advertisement } = await site.root.call(advertisements.list, { position: ['long_ago'] })
    expect(advertisement.map((row) => row.id)).toEqual([id])
  })

  test.each([{ position: '' }, { position: 'nowhere' }, { content: '' }, { content: 'x'.repeat(20_001) }])(
    'are refused with %j',
    async (change) => {
      expect(await refusal(advertise(change))).toMatchObject({ status: 400 })
    },
  )
})

describe('a restricted site', () => {
  test('for members lets visitors log in, and members see it', async () => {
    const { username, password } = await site.member()
    await site.configure({ 'security.login_required': 'true' })
    expect(await refusal(site.call(navigations.list))).toMatchObject({ status: 401, reason: 'access.loginNeeded' })
    expect((await site.send('GET', '/api/v1/user/captcha?type=login')).status).toBe(200)
    const { token } = await site.call(users.login, { username, password })
    expect((await site.caller({ token })(navigations.list)).total).toBeGreaterThan(2)
    await site.configure({ 'security.login_required': 'false' })
  })

  test('that is closed is open to staff only', async () => {
    const member = await site.member()
    const staff = await site.staff('ConfigAPI/ListConfig')
    await site.configure({ 'security.is_close': 'true' })
    expect(await refusal(site.call(navigations.list))).toMatchObject({ status: 401 })
    const closed = { status: 403, reason: 'access.siteClosed' }
    expect(await refusal(member.call(navigations.list))).toMatchObject(closed)
    expect(await refusal(member.call(users.profile, {}))).toMatchObject(closed)
    expect((await staff.call(navigations.list)).total).toBeGreaterThan(2)
    expect((await member.call(users.permission)).permission).toEqual([])
    expect(await member.call(users.logout)).toEqual({})
    await site.configure({ 'security.is_close': 'false' })
  })
})

function entry(change: Partial<CallInput<typeof navigations.create>> = {}) {
  return site.root.call(navigations.create, { title: `entry ${(count += 1)}`, enable: true, ...change })
}

function friend(change: Partial<CallInput<typeof friendlinks.create>> = {}) {
  const title = `friend ${(count += 1)}`
  return site.root.call(friendlinks.create, { title, link: 'https://example.com', enable: true, ...change })
}

function advertise(change: Partial<CallInput<typeof advertisements.create>> = {}) {
  return site.root.call(advertisements.create, {
    position: 'index_link_top',
    content: '<b>广告</b>',
    enable: true,
    ...change,
  })
}

async function visibleAdIds(...position: string[]): Promise<number[]> {
  const { advertisement } = await site.call(advertisements.position, { position })
  return advertisement.map(({ id }) => id)
}
