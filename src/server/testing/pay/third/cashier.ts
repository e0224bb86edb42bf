import { escapeHtml } from '#shared/escape-html.ts'
import { type GatewayOrder, paidYuan } from './gateway-orders.ts'

/** The page on which the buyer pays. */
export function cashierPage(order: GatewayOrder): string {
  const isOpen = order.state === 'unpaid'
  const buttons = Object.entries({ pay: '付款', silent: '付款，但不通知网站', cancel: '取消' })
  return page(`
    <h1>模拟收银台</h1>
    <p>${escapeHtml(order.name)}</p>
    <p>¥<strong>${paidYuan(order)}</strong></p>
    ${isOpen ? '' : `<p>${order.state === 'paid' ? '这笔订单已支付' : '这笔订单已关闭'}</p>`}
    <form method="post">${buttons
      .map(([action, label]) => `<button name="action" value="${action}">${label}</button>`)
      .join(' ')}</form>`)
}

export function refusalPage(message: string): string {
  return page(`<h1>无法支付</h1><p>${escapeHtml(message)}</p>`)
}

function page(content: string): string {
  return `<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>模拟收银台</title><body style="font: 16px sans-serif; padding: 2rem">${content}</body></html>`
}
