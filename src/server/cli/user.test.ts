import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { factorLogins } from '#shared/contract/account-security.ts'
import { users } from '#shared/contract/users.ts'
import { enrol, firstStep } from '#server/testing/second-factor/authenticator-app.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import type { Command } from './command.ts'
import { settingsCommand } from './settings.ts'
import { userCommand } from './user.ts'

let site: Site
beforeEach(async () => {
  site = await openSite()
})
afterEach(() => site.close())

/** What the command prints; `stdin` is piped into it. */
async function run(command: Command, words: string[], stdin = ''): Promise<string> {
  const lines: unknown[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  const input = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([stdin]) as typeof process.stdin)
  try {
    await command.run(await site.app.context(), words, site.app, site.config)
    return lines.join('\n')
  } finally {
    log.mockRestore()
    input.mockRestore()
  }
}
const user = (...words: string[]) => run(userCommand, words)

test('creates users with a given password or a made-up one', async () => {
  const words = ['create', '小审核', '--group', '超级管理员', '--email', 'xiaoshen@example.com']
  expect(await run(userCommand, words, 'her own password\n')).toBe('已新建用户 小审核')
  await site.call(users.login, { username: '小审核', password: 'her own password' })
  const [, password = ''] = /^已新建用户 过路人，密码：(\S{12})$/.exec(await user('create', '过路人')) ?? []
  const { user: created } = await site.call(users.login, { username: '过路人', password })
  expect(created.group_id).toHaveLength(1)
  expect(await user('list', '路')).toMatch(/^\d+\t过路人\t-\t/)
  await expect(user('create', '过路人')).rejects.toThrow('用户名')
  await expect(run(userCommand, ['create', '别的人'], '12345678')).rejects.toThrow('密码')
  expect(await site.db.selectFrom('session').select('id').where('user_id', '=', site.root.id).execute()).toHaveLength(1)
})

test('moves a user to other groups, and the audit log tells', async () => {
  const member = await site.member('过路人')
  expect(await user('group', '过路人', '超级管理员', '普通用户')).toBe('过路人 现在的用户组：超级管理员、普通用户')
  expect((await site.root.call(users.get, { id: member.id })).group_id).toHaveLength(2)
  await expect(user('group', '过路人', '没有的组')).rejects.toThrow(/^没有名为 没有的组 的用户组，现有：.*普通用户/)
  await expect(user('group', '没有的人', '普通用户')).rejects.toThrow('没有名为 没有的人 的用户')
  await expect(user('group', 'admin', '普通用户')).rejects.toThrow('管理员')
  await expect(user('group', '过路人')).rejects.toThrow('用法')
  const { audit: entries } = await site.root.call(audits.list, {})
  expect(entries[0]).toMatchObject({ username: 'admin' })
})

test('disables and enables a user', async () => {
  const member = await site.member('过路人')
  const login = () => site.call(users.login, { username: '过路人', password: member.password })
  expect(await user('disable', '过路人', '--reason', '发广告')).toBe('已禁止 过路人 登录')
  await expect(login()).rejects.toThrow('发广告')
  expect(await user('enable', '过路人')).toBe('已允许 过路人 登录')
  await login()
  expect(await user('enable', '过路人')).toBe('过路人 没有被禁止登录')
  await expect(user('disable', 'admin')).rejects.toThrow('站长')
})

test('switches off a second factor that was lost, which a new key of the site does not lose', async () => {
  const member = await site.member('过路人')
  expect(await user('reset-2fa', '过路人')).toBe('过路人 没有开启两步验证')
  const app = await enrol(site, member)
  await run(settingsCommand, ['rekey'])
  const { id } = await firstStep(site, member)
  await site.call(factorLogins.complete, { challenge: id, code: app.code() })
  expect(await user('reset-2fa', '过路人')).toContain('已关闭 过路人 的两步验证')
  expect(await refusal(member.call(users.canUploadDocument))).toMatchObject({ status: 401 })
  expect((await site.call(users.login, member)).user.id).toBe(member.id)
  await expect(user('reset-2fa', '没有的人')).rejects.toThrow('没有名为 没有的人 的用户')
})

test('commands work for an owner who owes a second factor, or has one', async () => {
  await site.configure({ 'security.staff_second_factor': 'true', 'security.staff_second_factor_days': '0' })
  expect(await run(userCommand, ['create', '第一个新人'], 'a good password')).toBe('已新建用户 第一个新人')
  await enrol(site, site.root)
  expect(await run(userCommand, ['create', '第二个新人'], 'a good password')).toBe('已新建用户 第二个新人')
})

test('a setting without a value is asked for', async () => {
  const set = (words: string[], stdin = '') => run(settingsCommand, ['set', 'system.sitename', ...words], stdin)
  const get = () => run(settingsCommand, ['get', 'system.sitename'])
  expect(await set([], '问出来的\n')).toBe('已修改 system.sitename')
  expect(await get()).toBe('问出来的')
  expect(await set([])).toBe('没有修改 system.sitename')
  expect(await get()).toBe('问出来的')
  expect(await set([''])).toBe('已修改 system.sitename')
  expect(await get()).toBe('')
  await expect(run(settingsCommand, ['set', 'system.none'])).rejects.toThrow('没有 system.none 这个设置')
})

test('hands the site over to another administrator', async () => {
  const heir = await site.member('接班人')
  await expect(user('owner', '接班人')).rejects.toThrow('超级管理员')
  await user('group', '接班人', '超级管理员')
  expect(await user('owner', '接班人')).toMatch(/^网站现在属于 接班人/)
  expect(await user('group', 'admin', '普通用户')).toBe('admin 现在的用户组：普通用户')
  await expect(user('disable', '接班人')).rejects.toThrow('站长')
  expect((await heir.call(users.get, { id: heir.id })).is_root).toBe(true)
})
