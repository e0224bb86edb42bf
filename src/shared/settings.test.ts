import { expect, test } from 'vitest'
import { PublicSettings } from './contract/settings.ts'
import { catalogue, findField, type GroupName } from './settings.ts'
import { type Field, fromText, toText } from './setting-fields.ts'
import { decode } from './wire.ts'

const groups: GroupName[] = [
  'system',
  'sms',
  'pay',
  'search',
  'vip',
  'miniprogram',
  'oauth',
  'captcha',
  'security',
  'converter',
  'score',
  'ssr',
  'email',
  'mail_text',
  'display',
  'footer',
  'spider',
  'download',
  'backup',
]
const fields = Object.values(catalogue).flatMap((group) => Object.values<Field>(group.fields))

test('every settings screen has its group', () => {
  expect(Object.keys(catalogue).toSorted()).toEqual(groups.toSorted())
})

test('every default is a value that its own field accepts', () => {
  for (const field of fields)
    expect(fromText(field, toText(field.default)), field.label).toEqual({ value: field.default })
})

test('what is public is a setting, of its kind, and no secret', () => {
  expect(fields.filter(({ secret }) => secret).length).toBeGreaterThan(5)
  const { language: _, default_group: __, payment: ___, ...shape } = PublicSettings.shape
  const added = new Set(['system.version', 'system.credit_name', 'system.credit_exchange', 'system.show_exchange'])
  for (const [group, schema] of Object.entries(shape))
    for (const [key, kind] of Object.entries(schema.shape).filter(([name]) => !added.has(`${group}.${name}`))) {
      const field = findField(group, key)
      expect(field && decode(kind, JSON.parse(JSON.stringify(field.default))), `${group}.${key}`).toEqual(
        field?.default,
      )
      expect(field?.secret, `${group}.${key}`).toBeUndefined()
    }
})

test.each([
  ['captcha.length', '99', '不能大于'],
  ['captcha.length', '4.5', '整数'],
  ['captcha.length', 'five', '整数'],
  ['display.home_version', 'v3', '选项'],
  ['system.theme_color', 'red;}', '颜色'],
  ['footer.about', 'javascript:alert(1)', '网址'],
  ['display.contact_link', '//evil.example', '网址'],
  ['system.logo', 'data:text/html,x', '网址'],
  ['system.domain', 'https://a.example/path', '域名'],
])('%s refuses %s', (path, value, why) => {
  const [group = '', key = ''] = path.split('.')
  const field = findField(group, key)
  expect(field && fromText(field, value)).toEqual({ problem: expect.stringContaining(why) })
})

test('keys of the prototype are not settings', () => {
  expect(findField('constructor', 'name')).toBeUndefined()
  expect(findField('system', '__proto__')).toBeUndefined()
})
