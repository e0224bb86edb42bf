import { expect, test } from 'vitest'
import { InvalidNotice } from '../pay-provider.ts'
import { parseForm, productName, textFields } from './fields.ts'

test('a form is decoded once, and refused if a field stands in it twice', () => {
  expect(parseForm('name=a+b%2520&money=1.00&param=')).toEqual({ name: 'a b%20', money: '1.00', param: '' })
  expect(() => parseForm('money=1.00&money=1.00')).toThrow(InvalidNotice)
})

test('the plain values of an answer are read as PHP writes them', () => {
  const answer = { code: 0, ok: true, no: false, nothing: null, list: [1], money: '1.00', __proto__: { a: 1 } }
  expect(textFields(answer)).toEqual({ code: '0', ok: '1', no: '', money: '1.00' })
})

test.each([
  ['会员卡', '会员卡'],
  ['  a \n\t b  ', 'a b'],
  ['100% 好 😀', '100％ 好'],
  ['😀', '订单'],
  ['', '订单'],
  ['文'.repeat(50), '文'.repeat(40)],
])('the product %j is called %j', (title, name) => {
  expect(productName(title)).toBe(name)
})
