import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AnswerFault, PaySimulator } from './pay-simulator.ts'
import { cashierPage, refusalPage } from './third/cashier.ts'
import { simulateEpayV2 } from './third/epay-v2.ts'
import { simulateEpay } from './third/epay.ts'
import { Complaint, type GatewayOrder, keepOrders, Refusal } from './third/gateway-orders.ts'
import type { Endpoint } from './third/simulated-dialect.ts'
import { simulateXunhupay } from './third/xunhupay.ts'

const dialects = { epay: simulateEpay, epay_v2: simulateEpayV2, xunhupay: simulateXunhupay }

/** A gateway of one of the three dialects, with a page on which a browser can pay. */
export async function startThirdPartySimulator(dialectName: keyof typeof dialects): Promise<PaySimulator> {
  const dialect = dialects[dialectName]()
  const orders = keepOrders()
  const calls: { call: string; attemptNo: string }[] = []
  const complaints: string[] = []
  let faults: AnswerFault[] = []
  let url = ''

  const cashier = (attemptNo: string) => `${url}/cashier/${attemptNo}`

  const answer = (endpoint: Endpoint, fields: Record<string, string>, fault?: AnswerFault) => {
    const attemptNo = fields.out_trade_no ?? fields.trade_order_id ?? fields.out_trade_order ?? ''
    calls.push({ call: endpoint.call, attemptNo })
    const isForged = fault === 'wrong-signature'
    try {
      const json = endpoint.answer({ fields, orders, cashier, isForged })
      return { attemptNo, json }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error instanceof Complaint) complaints.push(error.message)
      return { json: endpoint.refuse(error.message, isForged), refusal: error.message }
    }
  }

  const send = async (order: GatewayOrder, fault?: Parameters<PaySimulator['notify']>[1]) => {
    const { method, fields } = dialect.notice(order, fault)
    const response =
      method === 'GET'
        ? await fetch(`${order.notifyUrl}?${fields}`)
        : await fetch(order.notifyUrl, { method, body: new URLSearchParams(fields) })
    return { status: response.status, body: await response.text() }
  }

  const leaveCashier = (order: GatewayOrder, action: string | null, response: ServerResponse) => {
    if (action === 'pay' || action === 'silent') orders.pay(order.attemptNo)
    // The buyer is not kept waiting for our answer, and a gateway tries again.
    if (action === 'pay') void send(order).catch(() => {})
    const query = action === 'cancel' ? '' : dialect.returnQuery(order)
    const separator = query && (order.returnUrl.includes('?') ? '&' : '?')
    response.writeHead(303, { location: `${order.returnUrl}${separator}${query}` }).end()
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '')
    if (pathname.startsWith('/cashier/')) {
      const order = orders.find(pathname.slice('/cashier/'.length))
      if (request.method === 'POST') return leaveCashier(order, form.get('action'), response)
      return show(response, 200, cashierPage(order))
    }
    const act = searchParams.get('act')
    const endpoint = dialect.endpoints[`${request.method} ${pathname}${act ? `?act=${act}` : ''}`]
    if (!endpoint) return show(response, 404, 'not found')
    const fields = Object.fromEntries([...searchParams, ...form])
    if (endpoint.isPage) {
      const { refusal, attemptNo } = answer(endpoint, fields)
      if (refusal || !attemptNo) return show(response, 400, refusalPage(refusal ?? ''))
      response.writeHead(302, { location: cashier(attemptNo) }).end()
      return
    }
    const fault = faults.shift()
    if (fault === 'no-answer') return void response.destroy()
    if (fault === 'server-error') return show(response, 502, '<h1>502 Bad Gateway</h1>')
    const { json } = answer(endpoint, fields, fault)
    if (fault === 'too-late') return void response.destroy()
    if (fault === 'not-json') return show(response, 200, '<h1>维护中</h1>')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => show(response, 400, refusalPage(String(error))))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    settings: { ...dialect.settings, enable_third: 'true', third_gateway: url },
    calls,
    complaints,
    pay: (attemptNo, paid) => void orders.pay(attemptNo, paid),
    notify: (attemptNo, fault) => send(orders.find(attemptNo), fault),
    notifyRefund: () => Promise.reject(new Error('these gateways send no notices of refunds')),
    misbehave(fault, times = 1) {
      faults = Array.from({ length: times }, () => fault)
    },
    answerRefunds(state) {
      orders.decision = state
    },
    changeBill() {
      throw new Error('these gateways have no bills')
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function show(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
}
