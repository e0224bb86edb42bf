import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment } from '#shared/contract/system.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('staff see which converters are installed, and when that was checked', async () => {
  site.freezeClock()
  const { envs } = await site.root.call(environment.envs)
  expect(envs.length).toBeGreaterThan(2)
  for (const { name, description, cmd } of envs) expect([name, description, cmd]).not.toContain('')
  const office = envs.find(({ name }) => name === 'LibreOffice')
  expect(office).toMatchObject({ is_installed: true, error: '' })
  expect(office?.version).toMatch(/\d/)
})

test('the result is cached for a minute', async () => {
  const checked = async () => (await site.root.call(environment.envs)).envs[0]?.checked_at
  const first = await checked()
  site.advanceClock(30_000)
  expect(await checked()).toBe(first)
  site.advanceClock(31_000)
  expect(await checked()).not.toBe(first)
})

test('members and visitors do not see it', async () => {
  const member = await site.member()
  expect(await refusal(member.call(environment.envs))).toMatchObject({ status: 403 })
  expect(await refusal(site.call(environment.envs))).toMatchObject({ status: 401 })
})
