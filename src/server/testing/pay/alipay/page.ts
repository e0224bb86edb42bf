import type { ServerResponse } from 'node:http'
import { yuan } from './formats.ts'
import type { Trade } from './trades.ts'

/** One button, that pays. */
export function showPayPage(response: ServerResponse, { no, subject, fen }: Trade): void {
  const button = `<form method="post" action="/pay/${no}"><button>确认付款</button></form>`
  showPage(response, 200, `<h1>${escapeHtml(subject)}</h1><p>￥${yuan(fen)}</p>${button}`)
}

export function showMessage(response: ServerResponse, status: number, message: string): void {
  showPage(response, status, `<p>${escapeHtml(message)}</p>`)
}

function showPage(response: ServerResponse, status: number, body: string): void {
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>支付宝</title>'
  response.writeHead(status, { 'content-type': 'text/html;charset=utf-8' })
  response.end(`<!doctype html><html lang="zh-CN"><head>${head}</head><body>${body}</body></html>`)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
