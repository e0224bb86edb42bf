import { hash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { client } from '#shared/client.ts'
import { users } from '#shared/contract/users.ts'
import { getAdminPages } from '#shared/permissions.ts'
import type { Db } from '#server/db/open.ts'
import { waitForPath, visit } from './browser.ts'
import type { RunningSite } from './running-site.ts'

/** What visitors and members do in a browser. */

/** The localStorage key of the session. */
const sessionKey = 'wendou'

export function printedPassword(site: RunningSite): string {
  const password = /密码 (\S+?)（/.exec(site.output())?.[1]
  expect(password, site.output()).toBeDefined()
  return password ?? ''
}

export async function logIn(
  page: Page,
  site: RunningSite,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await visit(page, '/login')
  await fillLogin(page, site, { username, password })
  await waitForPath(page, /^\/(?!login)/)
}

/** Signs in without the form, by writing the session to localStorage; for sites without a login captcha. */
export async function signInAs(page: Page, site: RunningSite, who: { username: string; password: string }) {
  const session = await createSession(site, who)
  // A page without scripts, which would read the storage too early.
  await page.goto('/robots.txt')
  await page.evaluate(([key, kept]) => localStorage.setItem(key, kept), [sessionKey, session] as const)
}

/** The session as the login form stores it. */
async function createSession(
  { url: origin }: RunningSite,
  who: { username: string; password: string },
): Promise<string> {
  const { token, user } = await client({ fetch, origin })(users.login, who)
  const call = client({ fetch, origin, token: () => token })
  const [{ permission }, { group: groups }] = await Promise.all([call(users.permission), call(users.group)])
  const permissions = permission.filter(({ id }) => id > 0)
  const allowPages = getAdminPages(permissions.map(({ path }) => path))
  return JSON.stringify({ token, user, permissions, groups, allowPages })
}

export async function fillLogin(
  page: Page,
  site: RunningSite,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.getByLabel('用户名').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await answerCaptcha(page, site.db)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

export async function register(
  page: Page,
  site: RunningSite,
  person: { username: string; password: string; email: string },
): Promise<void> {
  await visit(page, '/register')
  await page.getByLabel('用户名').fill(person.username)
  await page.getByLabel('邮箱', { exact: true }).fill(person.email)
  await page.getByLabel('密码', { exact: true }).fill(person.password)
  await answerCaptcha(page, site.db)
  await page.getByRole('button', { name: '注册', exact: true }).click()
  await waitForPath(page, '/me')
}

/** Fills in the captcha; the answer is found by trying all of them against the stored HMAC. */
export async function answerCaptcha(page: Page, db: Db): Promise<void> {
  const field = page.getByLabel('验证码', { exact: true })
  if ((await field.count()) === 0) return
  await field.focus()
  await page.locator('img[alt="验证码"]').waitFor()
  await field.fill(await solveLatestCaptcha(db))
}

export async function readToken(page: Page): Promise<string> {
  return page.evaluate((key) => {
    const session: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return (session as { token?: string }).token ?? ''
  }, sessionKey)
}

/** The HTTP status of a request with a token. */
export async function statusFor(site: RunningSite, token: string, path = '/api/v1/user/permission'): Promise<number> {
  const response = await fetch(new URL(path, site.url), { headers: { authorization: `Bearer ${token}` } })
  return response.status
}

async function solveLatestCaptcha(db: Db): Promise<string> {
  const key = await db.selectFrom('secret').select('value').where('name', '=', 'codes').executeTakeFirstOrThrow()
  const { answer } = await db.selectFrom('captcha').selectAll().orderBy('expires_at', 'desc').executeTakeFirstOrThrow()
  const seal = createHmacFunction(Buffer.from(key.value, 'base64url'))
  for (let n = 0; n < 100_000; n++) {
    const guess = String(n).padStart(5, '0')
    if (seal(guess) === answer) return guess
  }
  throw new Error('the captcha is not five digits')
}

/** HMAC-SHA256 by hand: for many short texts it takes a seventh of the time of `createHmac`. */
function createHmacFunction(secret: Buffer): (text: string) => string {
  const padded = (pad: number) => Buffer.alloc(64).map((_, at) => (secret[at] ?? 0) ^ pad)
  const [inner, outer] = [padded(0x36), padded(0x5c)]
  return (text) => {
    const hashed = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer')
    return hash('sha256', Buffer.concat([outer, hashed]), 'base64url')
  }
}
