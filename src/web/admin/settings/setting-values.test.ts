import { expect, test } from 'vitest'
import { catalogue } from '#shared/settings.ts'
import type { Field } from '#shared/setting-fields.ts'
import { checkValue, type Setting, titleOf, toChanges, toFormValue } from '#web/admin/settings/setting-values.ts'

function setting(category: string, name: string, field: Field, value: string): Setting {
  const row = { id: 1, category, name, label: `${field.label}（分）`, value, problem: '', placeholder: '' }
  const rest = { input_type: 'number', options: '', sort: 1, col_num: 24, created_at: null, updated_at: null }
  return { name, field, row: { ...row, ...rest } }
}

const price = (value: string) => setting('vip', 'year_price', catalogue.vip.fields.year_price, value)

test('money is read and typed in yuan, and sent in the unit of the wire', () => {
  const read = price('19900')
  expect([titleOf(read), toFormValue(read)]).toEqual(['年卡价格（元）', '199.00'])
  expect(toChanges([read], { year_price: '19.91' })).toEqual([{ category: 'vip', name: 'year_price', value: '1991' }])
  expect(toChanges([read], { year_price: toFormValue(read) })).toEqual([
    { category: 'vip', name: 'year_price', value: '19900' },
  ])
  const sms = setting('sms', 'price', catalogue.sms.fields.price, '45')
  expect([titleOf(sms), toFormValue(sms)]).toEqual(['每条短信的价格（元）', '0.045'])
  expect(toChanges([sms], { price: '0.05' })).toEqual([{ category: 'sms', name: 'price', value: '50' }])
})

test('what is no amount is refused at its field', () => {
  expect(() => checkValue(price('19900'), '1990.5')).not.toThrow()
  expect(() => checkValue(price('19900'), '19.905')).toThrow('最多两位小数，如 19.90：不到一分的钱收不了')
  expect(() => checkValue(price('19900'), '')).toThrow('请输入金额')
  expect(() => checkValue(price('19900'), '1000000.01')).toThrow('不能大于 1000000.00 元')
})

test('every setting whose words speak of money is typed in yuan', () => {
  const inSmallUnits = Object.entries(catalogue).flatMap(([category, { fields }]) =>
    Object.entries(fields as Record<string, Field>)
      .filter(([name, { label, help = '', money, kind }]) => {
        const speaksOfMoney = /（[分厘]）|1 元是/.test(label + help) || (kind === 'number' && /_?price$/.test(name))
        return speaksOfMoney && !money
      })
      .map(([name]) => `${category}.${name}`),
  )
  expect(inSmallUnits).toEqual([])
})
