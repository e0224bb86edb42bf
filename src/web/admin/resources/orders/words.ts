import { OrderStatus } from '#shared/enums.ts'

/** What the texts of the interface are called in the back office. */

export const providerNames: Record<string, string> = {
  wechat: '微信支付',
  alipay: '支付宝',
  third: '第三方支付',
}

export const attemptStates: Record<string, string> = {
  open: '等待付款',
  paid: '已付',
  surplus: '多收',
  closed: '已关闭',
}

export const noticeOutcomes: Record<string, string> = {
  settled: '已结清',
  repeated: '重复',
  surplus: '多收',
  refused: '不接受',
}

export const refundStates: Record<string, string> = { processing: '处理中', done: '已退', refused: '被拒绝' }

export const statusColors: Record<OrderStatus, string | undefined> = {
  [OrderStatus.Pending]: 'gold',
  [OrderStatus.Paid]: 'green',
  [OrderStatus.Closed]: undefined,
}

/** A word that is not known yet is shown as it is. */
export function nameOf(names: Record<string, string>, word: string): string {
  return names[word] ?? word
}
