import { expect, test } from 'vitest'
import { mailTemplates, mailTextKeys } from '#shared/mail-templates.ts'
import { catalogue } from '#shared/settings.ts'
import { findPages, findSettings } from '#web/admin/settings/find-settings.ts'
import { toSections } from '#web/admin/settings/sections.ts'

const everything = () => true
const find = (query: string, canOpen: (page: string) => boolean = everything) =>
  findSettings(query, canOpen, '贝壳').map(({ group, name }) => `${group}.${name}`)

test.each([
  ['its label', 'ICP 备案号', 'system.icp'],
  ['a part of its label', '水印文字', 'system.watermark'],
  ['words in any order', '间隔 评论', 'security.comment_interval'],
  ['its key', 'captcha_after_failures', 'security.captcha_after_failures'],
  ['its group and key', 'email.port', 'email.port'],
  ['its hint', '站点地图', 'system.domain'],
  ['one of its options', '算式', 'captcha.type'],
  ['another case or width', 'ｓｍｔｐ', 'email.host'],
  ['the screen and the section that it is in', '登录和验证码 天数', 'security.session_days'],
])('a setting is found by %s', (_what, query, expected) => {
  expect(find(query)[0]).toBe(expected)
})

test('what says it in its label comes before what mentions it', () => {
  const found = find('验证码')
  expect(found.indexOf('security.enable_captcha_login')).toBeLessThan(found.indexOf('captcha.length'))
})

test('nothing is found without a word, or by one that occurs nowhere', () => {
  expect(find('  ')).toEqual([])
  expect(find('没有这样的设置')).toEqual([])
})

test('only settings of screens that one may open are found', () => {
  expect(find('验证码', (page) => page === '/admin/config/captcha')).toEqual(
    Object.keys(catalogue.captcha.fields).map((name) => `captcha.${name}`),
  )
  expect(find('验证码', () => false)).toEqual([])
})

test('a screen with more than six settings has sections, and each setting is in one', () => {
  for (const [group, { fields }] of Object.entries(catalogue)) {
    const names = Object.keys(fields)
    const sections = toSections(group, names)
    expect(sections.flatMap((section) => section.names).toSorted(), group).toEqual(names.toSorted())
    // What only few owners need is folded, at the end.
    expect(
      sections.slice(0, -1).some(({ isFolded }) => isFolded),
      group,
    ).toBe(false)
    const titles = sections.flatMap(({ title }) => title ?? [])
    expect(new Set(titles).size, group).toBe(titles.length)
    if (names.length > 6) expect(titles.length, group).toBeGreaterThan(1)
    expect(sections.length <= 1 || sections.length === titles.length, group).toBe(true)
  }
})

test('each mail has a section of its own for its texts, which has its preview', () => {
  const sections = toSections('mail_text', mailTextKeys)
  const templates = Object.values(mailTemplates).map(({ title, keys }) => ({ title, names: [keys.subject, keys.body] }))
  expect(sections.slice(0, -1)).toEqual(templates)
  expect(sections.at(-1)?.names).toEqual(['closing'])
})

test('whole pages are found by their name, their group and what they say of themselves', () => {
  const pages = [
    { path: '/admin/user/punishment', label: '处罚管理', groupTitle: '用户', hint: '' },
    { path: '/admin/user/audit', label: '操作日志', groupTitle: '用户', hint: '管理人员的每一次修改都记在这里' },
    { path: '/admin/user/list', label: '用户管理', groupTitle: '用户', hint: '' },
  ]
  const find = (query: string) => findPages(query, pages).map(({ path }) => path)
  expect(find('处罚')).toEqual(['/admin/user/punishment'])
  expect(find('修改')).toEqual(['/admin/user/audit'])
  expect(find('用户')[0]).toBe('/admin/user/list')
  expect(find('用户 日志')).toEqual(['/admin/user/audit'])
  expect(find('没有这样的页面')).toEqual([])
  expect(find(' ')).toEqual([])
})
