import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { waitForPath, expectNoPageErrors, load, openBrowser, openWindow, visit, selectOption } from './browser.ts'
import { logIn, printedPassword, register, statusFor, readToken } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

let browser: Browser
let site: RunningSite
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())
afterEach(() => site.stop())

/** Dialogs and menus of the back office fade in and out, as they do for most people. */
const moving = { reducedMotion: 'no-preference' } as const

/** From nothing to a second person who runs a part of the site. */
describe.each(['sqlite', 'postgres'] as const)('a new owner on %s', (engine) => {
  test('logs in, changes the password, makes a group for two pages, and hands it to a member', async () => {
    site = await startSite(engine)
    const owner = await openWindow(browser, site.url, moving)
    await logIn(owner, site, { username: 'admin', password: printedPassword(site) })
    await waitForPath(owner, '/me')
    const token = await readToken(owner)
    const phone = await openWindow(browser, site.url, moving)
    await logIn(phone, site, { username: 'admin', password: printedPassword(site) })
    const elsewhere = await readToken(phone)
    expect([await statusFor(site, token), await statusFor(site, elsewhere)]).toEqual([200, 200])

    await visit(owner, '/me/password')
    await owner.getByLabel('原密码', { exact: true }).fill(printedPassword(site))
    await owner.getByLabel('新密码', { exact: true }).fill('a new password')
    await owner.getByLabel('确认新密码').fill('a new password')
    await owner.getByRole('button', { name: '修改密码' }).dblclick()
    await owner.getByText('密码修改成功，其他设备已退出登录').waitFor()
    expect(await owner.getByLabel('原密码', { exact: true }).inputValue()).toBe('')
    expect([await statusFor(site, token), await statusFor(site, elsewhere)]).toEqual([200, 401])

    await visit(owner, '/admin/user/group')
    await owner.getByRole('button', { name: '新增用户组' }).click()
    await owner.getByLabel('名称', { exact: true }).fill('审稿人')
    await owner.getByRole('button', { name: '保 存' }).click()
    const row = owner.getByRole('row', { name: /审稿人/ })
    await row.getByRole('button', { name: '权限' }).click()
    await owner.getByRole('checkbox', { name: '查看用户列表' }).check()
    await owner.getByRole('checkbox', { name: '查看处罚列表' }).check()
    await owner.getByRole('button', { name: '保 存' }).click()
    await owner.getByText('权限已保存').waitFor()

    const editor = await openWindow(browser, site.url, moving)
    await register(editor, site, { username: '豆编辑', password: 'editor password', email: 'editor@example.com' })
    await editor.getByRole('button', { name: '豆编辑 的菜单' }).click()
    await editor.getByRole('menuitem', { name: '个人中心' }).waitFor()
    expect(await editor.getByRole('menuitem', { name: '管理后台' }).count()).toBe(0)
    await visit(editor, '/admin/user/list')
    await editor.getByRole('heading', { name: '您没有进入管理后台的权限' }).waitFor()
    await editor.getByRole('link', { name: '返回首页' }).click()

    await visit(owner, '/admin/user/list')
    const person = owner.getByRole('row', { name: /豆编辑/ })
    await person.getByRole('button', { name: /更多|用户组和密码/ }).click()
    await owner.getByText('用户组和密码').last().click()
    const dialog = owner.getByRole('dialog')
    await selectOption(dialog.getByRole('combobox', { name: '用户组' }), '审稿人')
    await dialog.getByText('用户组和密码：豆编辑').click()
    await dialog.getByRole('button', { name: '保 存' }).click()
    await dialog.waitFor({ state: 'hidden' })

    await editor.getByRole('button', { name: '豆编辑 的菜单' }).click()
    await editor.getByRole('menuitem', { name: '退出登录' }).click()
    await editor.getByText('已退出登录').waitFor()
    await logIn(editor, site, { username: '豆编辑', password: 'editor password' })
    await editor.getByRole('button', { name: '豆编辑 的菜单' }).click()
    await editor.getByRole('menuitem', { name: '管理后台' }).click()
    await waitForPath(editor, /^\/admin/)
    await editor
      .getByRole('menuitem', { name: '用户管理' })
      .or(editor.getByRole('menuitem', { name: '用户' }))
      .first()
      .waitFor()
    const links = await editor
      .locator('aside a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(links.filter((href) => href.startsWith('/admin/') && href !== '/admin/dashboard').toSorted()).toEqual([
      '/admin/user/invitation',
      '/admin/user/list',
      '/admin/user/punishment',
    ])
    for (const page of ['/admin/user/list', '/admin/user/punishment']) {
      await load(editor, page)
      await editor.getByRole('table').first().waitFor()
      await waitForPath(editor, page)
    }
    for (const page of ['/admin/user/group', '/admin/user/permission', '/admin/config/system', '/admin/nothing']) {
      await load(editor, page)
      await waitForPath(editor, /^\/admin(\/dashboard)?$/)
    }
    expectNoPageErrors(owner)
    expectNoPageErrors(editor)
  })
})
