import { expect, test } from 'vitest'
import { PaymentMethod } from '#shared/enums.ts'
import { methodLabels } from '#web/admin/resources/orders/words.ts'

test('methods have the names that the owner gave them, the others their own', () => {
  const payment = { third_title: '豆付', other_title: '校园卡' }
  const labels = methodLabels({ settings: { payment, system: { credit_name: '贝壳' } } } as never)
  expect(labels).toMatchObject({
    [PaymentMethod.ThirdParty]: '豆付',
    [PaymentMethod.Other]: '校园卡',
    [PaymentMethod.WeChatPay]: '微信支付',
    [PaymentMethod.Credits]: '贝壳支付',
  })
})
