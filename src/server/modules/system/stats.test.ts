import { afterAll, beforeAll, expect, test } from 'vitest'
import { stats } from '#shared/contract/system.ts'
import { openSite, type Site } from '#server/testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('visitors see how many people there are, with those that the owner adds', async () => {
  expect((await site.call(stats.get)).user_count).toBe(1)
  await site.configure({ 'display.virtual_register_count': '1000' })
  await site.member()
  expect((await site.call(stats.get)).user_count).toBe(1002)
})

test('what the site runs on and the rest of the numbers are for who may see them', async () => {
  const { json } = await site.send('GET', '/api/v1/stats')
  expect(Object.keys(json)).toEqual(['user_count'])
  const staff = await site.staff('ConfigAPI/GetStats')
  const whole = await staff.call(stats.get)
  expect(whole.os).toContain(process.platform)
  expect(whole.version).toMatch(/^\d+\.\d+/)
})
