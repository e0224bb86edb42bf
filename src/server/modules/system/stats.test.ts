import { afterAll, beforeAll, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
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
  expect(Object.keys(json)).toEqual(['user_count', 'article_count'])
  const staff = await site.staff('ConfigAPI/GetStats')
  const whole = await staff.call(stats.get)
  expect(whole.os).toContain(process.platform)
  expect(whole.version).toMatch(/^\d+\.\d+/)
})

test('articles are counted as far as everybody sees them', async () => {
  const { article_count } = await site.call(stats.get)
  const { id } = await site.root.call(articles.create, { title: '一篇', content: '<p>正文</p>' })
  expect((await site.call(stats.get)).article_count).toBe(article_count + 1)
  await site.root.call(articles.check, { article_id: [id], status: 2 })
  expect((await site.call(stats.get)).article_count).toBe(article_count)
})
