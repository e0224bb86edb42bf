import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { AnnouncementAudience } from '#shared/enums.ts'
import { expectNoPageErrors, openBrowser, openWindow, visit, waitForPath, waitUntilIdle } from './browser.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { createMember, type Member, signInAsRoot } from './site-setup.ts'

/** Announcements: written in the back office, shown at the top of every page, and kept on a page of their own. */

let browser: Browser
let site: RunningSite
let root: Member
const owner = { username: 'admin', password: 'root password' }
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: owner.password })
  root = await signInAsRoot(site, owner.password)
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a site without announcements asks for none', async () => {
  const page = await openWindow(browser, site.url)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await visit(page, '/')
  await waitUntilIdle(page)
  expect(requested.filter((url) => /announcement/.test(url))).toEqual([])
})

test('an announcement is written, shown to visitors, read, and dismissed for good', async () => {
  const staff = await openWindow(browser, site.url)
  await signInAs(staff, site, owner)
  await visit(staff, '/admin/announcement?new=1')
  await staff.getByLabel('标题').fill('今晚十点维护')
  await staff.getByLabel('正文').fill('大约半小时。\n\n详情见 https://example.com/notice 。')
  await staff.getByRole('button', { name: '保 存' }).click()
  await staff.getByRole('row', { name: /今晚十点维护/ }).waitFor()
  expectNoPageErrors(staff)

  const page = await openWindow(browser, site.url)
  await visit(page, '/')
  const strip = page.getByRole('region', { name: '公告' })
  await strip.getByRole('link', { name: '今晚十点维护' }).waitFor()
  expect(await (await fetch(site.url)).text()).not.toContain('今晚十点维护')
  await strip.getByRole('link', { name: '今晚十点维护' }).click()
  await waitForPath(page, /^\/announcement\/\d+$/)
  await page.getByRole('heading', { name: '今晚十点维护' }).waitFor()
  expect(await page.getByRole('link', { name: 'https://example.com/notice' }).getAttribute('rel')).toContain('noopener')
  expect(await accessibilityFaults(page)).toEqual([])

  await visit(page, '/category')
  await strip.getByRole('button', { name: '关闭这条公告' }).click()
  await strip.waitFor({ state: 'detached' })
  await visit(page, '/')
  await waitUntilIdle(page)
  expect(await strip.count()).toBe(0)
  await visit(page, '/announcement')
  await page.getByRole('link', { name: '今晚十点维护' }).waitFor()
  expectNoPageErrors(page)
})

test('an announcement for a group is for its members alone, also on its page', async () => {
  const member = await createMember(site, root, '内测的人')
  const { id: groupId } = await root.call(contract.groups.create, { title: '内测' })
  const { id: userId } = await member.call(contract.users.get)
  await root.call(contract.users.set, { id: userId, group_id: [groupId] })
  const { id } = await root.call(contract.announcements.create, {
    title: '内测开始了',
    content: '<p>欢迎</p>',
    enable: true,
    audience: AnnouncementAudience.Groups,
    group_id: [groupId],
  })
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  await visit(page, '/')
  await page.getByRole('region', { name: '公告' }).getByRole('link', { name: '内测开始了' }).waitFor()
  await visit(page, '/announcement')
  await page.getByRole('link', { name: '内测开始了' }).waitFor()
  await visit(page, `/announcement/${id}`)
  await page.getByText('欢迎').waitFor()
  expect((await fetch(new URL(`/announcement/${id}`, site.url))).status).toBe(404)

  const visitor = await openWindow(browser, site.url)
  await visit(visitor, '/announcement')
  await waitUntilIdle(visitor)
  expect(await visitor.getByText('内测开始了').count()).toBe(0)
})
