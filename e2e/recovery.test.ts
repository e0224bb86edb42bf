import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { waitForPath, expectNoPageErrors, openBrowser, openWindow, visit } from './browser.ts'
import { configure } from './owner.ts'
import { answerCaptcha, logIn, register, statusFor, readToken } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

let browser: Browser
let mailbox: Mailbox
beforeAll(async () => {
  browser = await openBrowser()
  mailbox = await openMailbox()
})
afterAll(async () => {
  await browser.close()
  await mailbox.close()
})

describe.each(['sqlite', 'postgres'] as const)('a forgotten password on %s', (engine) => {
  let site: RunningSite
  afterAll(() => site.stop())

  test('is replaced through the link in a real mail, once, and every older login ends', async () => {
    site = await startSite(engine)
    await configure(site, { ...mailbox.settings, 'system.domain': site.url })
    const email = `forgetful-${engine}@example.com`
    const person = { username: '健忘的人', password: 'the first password', email }
    const elsewhere = await openWindow(browser, site.url)
    await register(elsewhere, site, person)
    const oldToken = await readToken(elsewhere)

    const page = await openWindow(browser, site.url)
    await visit(page, '/login')
    await page.getByRole('link', { name: '忘记密码？' }).click()
    await waitForPath(page, /^\/findpassword/)
    await page.getByLabel('邮箱').fill(email)
    await answerCaptcha(page, site.db)
    await page.getByRole('button', { name: '发送重置邮件' }).dblclick()
    await page.getByText('邮件已在路上').waitFor()
    await expect.poll(() => mailbox.mails().filter(({ to }) => to.includes(email)).length).toBe(1)

    const link = /https?:\/\/\S+/.exec(mailbox.latest(email).text)?.[0] ?? ''
    expect(link.startsWith(`${site.url}/findpassword?token=`)).toBe(true)
    await page.goto(link)
    await visit(page, link.slice(site.url.length))
    await page.getByLabel('新密码', { exact: true }).fill('the second password')
    await page.getByLabel('确认新密码').fill('the other password')
    await answerCaptcha(page, site.db)
    await page.getByRole('button', { name: '重置密码' }).click()
    await page.getByText('新密码与确认密码不一致').waitFor()
    await page.getByLabel('确认新密码').fill('the second password')
    await page.getByRole('button', { name: '重置密码' }).click()
    await waitForPath(page, /^\/login/)
    expect(await statusFor(site, oldToken)).toBe(401)

    await logIn(page, site, { ...person, password: 'the second password' })
    expect(await statusFor(site, await readToken(page))).toBe(200)

    const thief = await openWindow(browser, site.url)
    await visit(thief, link.slice(site.url.length))
    await thief.getByLabel('新密码', { exact: true }).fill('a third password')
    await thief.getByLabel('确认新密码').fill('a third password')
    await answerCaptcha(thief, site.db)
    await thief.getByRole('button', { name: '重置密码' }).click()
    await thief.getByText('重置链接无效或已过期').waitFor()
    expectNoPageErrors(page)
    expectNoPageErrors(thief)
  })
})
