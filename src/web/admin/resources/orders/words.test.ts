import { expect, test } from 'vitest'
import { PaymentMethod } from '#shared/enums.ts'
import { methodLabels } from '#web/admin/resources/orders/words.ts'

test('methods have the names that the owner gave them, the others their own', () => {
  const labels = methodLabels({ third_title: '豆付', other_title: '校园卡' })
  expect(labels).toMatchObject({
    [PaymentMethod.ThirdParty]: '豆付',
    [PaymentMethod.Other]: '校园卡',
    [PaymentMethod.WeChatPay]: '微信支付',
  })
})
