import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ContentType } from '#shared/enums.ts'
import { waitForHydration, waitForPath, expectNoPageErrors, openBrowser, openWindow, visit } from './browser.ts'
import { configure } from './owner.ts'
import { fillLogin, signInAs, logIn, readToken } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { keepPassword } from './site-setup.ts'

/** An account in an open browser: sessions that end, other tabs, access that is withdrawn, storage that is blocked. */

let browser: Browser
let site: RunningSite
const root = { username: 'admin', password: 'root password' }
const member = { username: '普通会员', password: 'member password' }

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: root.password })
  await configure(site, { 'security.enable_captcha_login': 'false' })
  const token = await tokenFor(root)
  expect((await send('POST', '/user', token, { ...member, email: '', group_id: [2] })).status).toBe(200)
  await keepPassword(site, member.username)
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a session that has ended elsewhere leads to login at the next page for members', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  await visit(page, '/category')
  // The page asks for the account when it opens, and its menu for the day's check-in; the session ends only after that.
  await page.getByRole('button', { name: `${member.username} 的菜单` }).click()
  await page.getByRole('menuitem', { name: /签到/ }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Escape')
  await send('DELETE', '/user/logout', await readToken(page))
  await choose(page, member.username, '个人中心')
  await waitForPath(page, '/login?redirect=%2Fme')
  await fillLogin(page, site, member)
  await waitForPath(page, '/me')
})

test('a site that closes while it is open leads to login, where the notice stands', async () => {
  const [visitor, page] = [await openWindow(browser, site.url), await openWindow(browser, site.url)]
  await visit(visitor, '/user/1')
  await visitor.getByRole('banner').getByRole('link', { name: '文库资料' }).click()
  await waitForPath(visitor, '/category')
  await logIn(page, site, member)
  await configure(site, { 'security.is_close': 'true', 'security.close_statement': '维护中' })
  try {
    await visitor.goBack()
    await waitForPath(visitor, '/login?redirect=%2Fuser%2F1')
    await visitor.getByText('维护中').waitFor()
    await choose(page, member.username, '个人主页')
    await waitForPath(page, /^\/login\?redirect=%2Fuser%2F\d+$/)
    await page.getByText('只有管理人员可以访问').waitFor()
  } finally {
    await configure(site, { 'security.is_close': 'false' })
  }
})

test('with login required, logging in leads to the page that was asked for', async () => {
  await configure(site, { 'security.login_required': 'true' })
  try {
    const page = await openWindow(browser, site.url)
    const passed: string[] = []
    page.on('framenavigated', (frame) => passed.push(new URL(frame.url()).pathname))
    await visit(page, '/login?redirect=%2Fcategory')
    await fillLogin(page, site, member)
    await waitForPath(page, '/category')
    await page.waitForTimeout(500)
    expect([...new Set(passed)]).toEqual(['/login', '/category'])
  } finally {
    await configure(site, { 'security.login_required': 'false' })
  }
})

test('when another tab changes the account, nothing of the first stays in the form', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  await visit(page, '/me/profile')
  await page.getByLabel('联系地址').fill('会员的地址')
  const other = await page.context().newPage()
  await signInAs(other, site, root)
  await expect.poll(() => page.getByLabel('用户名').inputValue()).toBe(root.username)
  expect(await page.getByLabel('联系地址').inputValue()).toBe('')
})

test('a member logs in with the e-mail address, and chooses another name without being logged out', async () => {
  const person = { username: '旧名字的人', password: 'a good password', email: 'renamed@example.com' }
  await send('POST', '/user', await tokenFor(root), { ...person, group_id: [2] })
  await keepPassword(site, person.username)
  await site.db.updateTable('user').set({ email_verified_at: 1 }).where('email', '=', person.email).execute()
  const page = await openWindow(browser, site.url)
  await logIn(page, site, { username: person.email, password: person.password })
  await visit(page, '/me/profile')
  const save = async (username: string) => {
    await page.getByLabel('用户名').fill(username)
    await page.getByRole('button', { name: '保存' }).click()
  }
  await save('')
  await page.getByText('请输入登录用户名').waitFor()
  await save('官方客服')
  await page.getByText('容易被当成本站的工作人员').waitFor()
  await save('新名字的人')
  await page.getByText('修改成功').waitFor()
  await page.getByText(/之后可以再改/).waitFor()
  expect(await page.getByLabel('用户名').getAttribute('readonly')).not.toBeNull()
  await choose(page, '新名字的人', '个人中心')
  await page.getByText('修改了用户名“旧名字的人 → 新名字的人”').waitFor()
  expectNoPageErrors(page)
})

test('logging out of a page for members is not called a lost session', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  await visit(page, '/me')
  await page.evaluate(() => {
    const look = () => {
      if (document.body.textContent.includes('登录已失效')) sessionStorage.setItem('seen', 'lost')
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    window.addEventListener('beforeunload', () => sessionStorage.setItem('left', location.pathname))
  })
  await choose(page, member.username, '退出登录')
  await page.getByText('已退出登录').waitFor()
  await waitForPath(page, '/login?redirect=%2Fme')
  expect(await page.evaluate(() => [sessionStorage.getItem('seen'), sessionStorage.getItem('left')])).toEqual([
    null,
    '/me',
  ])
})

test('where storage is blocked the site works, and a login lasts until the page is left', async () => {
  const page = await openWindow(browser, site.url)
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException('blocked', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get })
  })
  await visit(page, '/login?redirect=%2Fcategory')
  await fillLogin(page, site, member)
  await waitForPath(page, '/category')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await choose(page, member.username, '个人中心')
  await waitForPath(page, '/me')
  await visit(page, '/category')
  await page.getByRole('banner').getByRole('link', { name: '登录' }).waitFor()
})

test.each(['/login', '/register', '/findpassword?token=x&email=a%40example.com'])(
  'should the browser send %s by itself, before the scripts come, no password is in the address',
  async (path) => {
    const html = await (await fetch(site.url + path)).text()
    const forms = [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].filter(([, , inside]) =>
      inside?.includes('type="password"'),
    )
    expect(forms.length).toBeGreaterThan(0)
    for (const [, attributes] of forms) expect(attributes).toContain('method="post"')
  },
)

test('whoever signs up reads what a member gets, and nothing that is switched off', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/register')
  const gains = page.getByRole('region', { name: '注册之后' })
  await gains.getByText('注册即得 10 个豆子').waitFor()
  await gains.getByText('每日签到得 1 个豆子').waitFor()
  await configure(site, { 'score.register': '0', 'score.credit_name': '积分' })
  try {
    await visit(page, '/register')
    await gains.getByText('每日签到得 1 个积分').waitFor()
    expect(await gains.getByText('注册即得').count()).toBe(0)
    await configure(site, { 'security.enable_register': 'false' })
    await visit(page, '/register')
    await page.getByText('网站暂未开放注册').waitFor()
    expect(await gains.count()).toBe(0)
    await visit(page, '/login')
    expect(await gains.count()).toBe(0)
  } finally {
    await configure(site, { 'score.register': '10', 'score.credit_name': '豆子', 'security.enable_register': 'true' })
  }
  expectNoPageErrors(page)
})

test('on a site for members pictures show to them, with nothing but what the browser keeps', async () => {
  const page = await openWindow(browser, site.url)
  await configure(site, { 'security.login_required': 'true' })
  try {
    await signInAs(page, site, member)
    const token = await readToken(page)
    const body = new FormData()
    body.append('file', new File([await makePicture()], 'me.png'))
    const headers = { authorization: `Bearer ${token}` }
    await fetch(`${site.url}/api/v1/upload/avatar`, { method: 'POST', headers, body })
    await visit(page, '/me')
    const picture = page.locator('main img[src^="/uploads/"]').first()
    await picture.waitFor()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    const address = await picture.getAttribute('src')
    expect((await fetch(site.url + address)).status).toBe(401)
    await send('DELETE', '/user/logout', token)
    expect(await page.evaluate(async (path) => (await fetch(path)).status, address ?? '')).toBe(401)
    expectNoPageErrors(page)
  } finally {
    await configure(site, { 'security.login_required': 'false' })
  }
})

test('what is typed before the scripts come is kept', async () => {
  const page = await openWindow(browser, site.url)
  const { promise: scripts, resolve: come } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts
    await route.continue()
  })
  await page.goto('/login?redirect=%2Fcategory', { waitUntil: 'commit' })
  await page.getByLabel('用户名').fill(member.username)
  expect(await page.getByRole('button', { name: '登录', exact: true }).isDisabled()).toBe(true)
  come()
  await waitForHydration(page)
  await page.getByLabel('密码', { exact: true }).fill(member.password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await waitForPath(page, '/category')
})

test('a picture is cropped by hand and by keys, and becomes the avatar', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  await visit(page, '/me/profile')
  await page
    .getByLabel('选择头像图片')
    .setInputFiles({ name: '合影.png', mimeType: 'image/png', buffer: await halves(page) })
  const dialog = page.getByRole('dialog', { name: '裁剪头像' })
  const stage = dialog.getByRole('button', { name: /裁剪范围/ })
  expect(await stage.getAttribute('aria-label')).toContain('放大 1.0 倍，距左边 200 像素')
  const { x = 0, y = 0 } = (await stage.boundingBox()) ?? {}
  await page.mouse.move(x + 100, y + 100)
  await page.mouse.down()
  await page.mouse.move(x - 900, y + 100, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => stage.getAttribute('aria-label')).toContain('距左边 400 像素')
  await stage.focus()
  for (const key of ['+', '+', 'ArrowLeft']) await page.keyboard.press(key)
  await expect.poll(() => stage.getAttribute('aria-label')).toContain('放大 1.2 倍')
  await dialog.getByRole('button', { name: '保存头像' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { avatar } = await savedMember()
  expect(avatar).toMatch(/^\/uploads\/.+\.webp$/)
  await page.getByRole('banner').locator(`img[src="${avatar}"]`).waitFor()
  // The crop was moved to the right half, which is blue.
  expect(await middleOf(page, avatar)).toEqual([0, 0, 255])

  await page
    .getByLabel('选择头像图片')
    .setInputFiles({ name: '坏的.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.getByText('这张图片打不开').waitFor()
  expectNoPageErrors(page)
})

test('the account pages show activities, credits and favorites', async () => {
  const token = await tokenFor(root)
  const title = '签到之后读的文章'
  const made = await send('POST', '/category', token, { type: ContentType.Article, title: '札记', enable: true })
  const { category } = (await (await send('GET', '/category/list?type=1', token)).json()) as {
    category: { id: number }[]
  }
  expect(made.status).toBe(200)
  const created = await send('POST', '/article', token, {
    title,
    content: '<p>正文</p>',
    category_id: [category[0]?.id],
  })
  const article = (await created.json()) as { id: number }

  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  await visit(page, '/me')
  await page
    .getByRole('main')
    .getByRole('button', { name: /每日签到/ })
    .click()
  await page.getByRole('main').getByText('完成了每日签到').waitFor()
  await page.getByRole('main').getByText('今日已签到').waitFor()
  await page.getByRole('link', { name: '豆子明细' }).click()
  await waitForPath(page, '/me/credit')
  expect(await page.getByRole('row', { name: /每日签到/ }).innerText()).toMatch(/\+1\s+\d+$/)

  await send('POST', '/favorite', await readToken(page), { document_id: article.id, type: ContentType.Article })
  await page.getByRole('link', { name: '我的收藏' }).click()
  await page.getByText('还没有收藏文档').waitFor()
  await page.getByRole('main').getByRole('link', { name: '文章', exact: true }).click()
  await page.getByRole('button', { name: `取消收藏“${title}”` }).click()
  await page.getByRole('button', { name: `重新收藏“${title}”` }).click()
  await page.getByText('已重新收藏').waitFor()
  await page.getByRole('main').getByRole('link', { name: '文档', exact: true }).click()
  await page.getByRole('main').getByRole('link', { name: '文章', exact: true }).click()
  await page.getByRole('button', { name: `取消收藏“${title}”` }).waitFor()
  expectNoPageErrors(page)
})

/** A picture of 800 × 400, red on the left and blue on the right. */
async function halves(page: Page): Promise<Buffer> {
  const address = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 800
    canvas.height = 400
    const pen = canvas.getContext('2d')
    if (!pen) return ''
    pen.fillStyle = '#f00'
    pen.fillRect(0, 0, 400, 400)
    pen.fillStyle = '#00f'
    pen.fillRect(400, 0, 400, 400)
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(address.replace(/^.*,/, ''), 'base64')
}

/** The colour in the middle of a picture of the site. */
async function middleOf(page: Page, path: string): Promise<number[]> {
  return page.evaluate(async (src) => {
    const picture = new Image()
    picture.src = src
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.naturalWidth
    canvas.height = picture.naturalHeight
    const pen = canvas.getContext('2d')
    pen?.drawImage(picture, 0, 0)
    const colour = pen?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? []
    // Avatars are compressed with loss.
    return [...colour].slice(0, 3).map((value) => Math.round(value / 51) * 51)
  }, path)
}

function savedMember() {
  return site.db.selectFrom('user').select('avatar').where('username', '=', member.username).executeTakeFirstOrThrow()
}

async function tokenFor(person: typeof root): Promise<string> {
  const reply = await send('POST', '/user/login', '', person)
  return ((await reply.json()) as { token: string }).token
}

/** A command of the member's menu. */
async function choose(page: Page, username: string, command: string): Promise<void> {
  await page.getByRole('button', { name: `${username} 的菜单` }).click()
  await page.getByRole('menuitem', { name: command }).click()
}

function send(method: string, path: string, token: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(`${site.url}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}

async function makePicture(): Promise<Uint8Array<ArrayBuffer>> {
  const background = { r: 20, g: 120, b: 90 }
  return new Uint8Array(
    await sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer(),
  )
}
