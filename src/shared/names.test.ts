import { expect, test } from 'vitest'
import { cleanName, isReservedName, nameKey, nameProblem } from './names.ts'

test.each([
  ['Admin', 'admin'],
  ['ＡＤＭＩＮ', 'admin'],
  ['adm1n', 'admin'],
  ['admln', 'admin'],
  ['文豆\u200b小编', '文豆小编'],
  ['ro0t', 'root'],
])('%s and %s are one account', (first, second) => {
  expect(nameKey(first)).toBe(nameKey(second))
})

test.each(['文豆 小编', 'a<b>', 'аdmin', 'a\u202eb', 'a\u200bb', '豆😀'])(
  '%j has characters that a name may not have',
  (name) => {
    expect(nameProblem(cleanName(name))).toBe('characters')
  },
)

test.each(['a@b.cn', '13800138000'])('%s looks like an address', (name) => {
  expect(nameProblem(name)).toBe('address')
})

test.each(['文豆小编', 'wen_dou-1.0', '张·三'])('%s is a name', (name) => {
  expect(nameProblem(name)).toBeUndefined()
})

test.each(['管理员', '文豆客服', '官方小编', 'System', 'admin_01', 'ＯＦＦＩＣＩＡＬ', '0fficial', '系统消息'])(
  '%s passes for the site',
  (name) => {
    expect(isReservedName(name)).toBe(true)
  },
)

test.each(['文豆小编', 'adminton', 'rooted', 'systems_fan', '官话研究'])('%s does not', (name) => {
  expect(isReservedName(name)).toBe(false)
})
