import { createPublicKey, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { billArchive, type BillRow, rowsOf } from './alipay/bill-archive.ts'
import { bareKey, time, yuan } from './alipay/formats.ts'
import {
  alipayCertificate,
  alipayCertificateNumber,
  alipayKey,
  appId,
  applicationCertificate,
  applicationKey,
  rootCertificates,
  sellerId,
  unrelatedKey,
} from './alipay/identities.ts'
import { composeForm, noticeFields, noticeWith, sendNotice } from './alipay/notice.ts'
import { showMessage, showPayPage } from './alipay/page.ts'
import { type AlipayRequest, checkRequest, Refused } from './alipay/request.ts'
import { describeTrade, paidFen, refundedFen, type Trade, Trades } from './alipay/trades.ts'
import type { AnswerFault, PaySimulator } from './pay-simulator.ts'

export interface AlipaySimulator extends PaySimulator {
  /** The fields of a payment's notice, before they are signed. */
  noticeFields(attemptNo: string): Record<string, string>
  /** The next answer has these fields instead of its own. */
  answerWith(fields: Record<string, string>): void
}

interface Options {
  mode?: 'key' | 'certificate'
  isFaceToFace?: boolean
}

const calls: Record<string, string> = {
  'alipay.trade.page.pay': 'create',
  'alipay.trade.wap.pay': 'create',
  'alipay.trade.precreate': 'create',
  'alipay.trade.query': 'query',
  'alipay.trade.close': 'close',
  'alipay.trade.refund': 'refund',
  'alipay.trade.fastpay.refund.query': 'query',
  'alipay.data.dataservice.bill.downloadurl.query': 'bill',
}

/** Alipay's gateway. Its pages to pay work in a browser: one button pays, and goes back to the site. */
export async function startAlipaySimulator({
  mode = 'key',
  isFaceToFace = false,
}: Options = {}): Promise<AlipaySimulator> {
  const trades = new Trades()
  const seen: PaySimulator['calls'][number][] = []
  const complaints: string[] = []
  const faults: AnswerFault[] = []
  const forgotten = new Set<string>()
  const added: BillRow[] = []
  let changedFields: Record<string, string> | undefined

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      complaints.push(String(error))
      response.writeHead(500).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', url)
    const [, place = '', name = ''] = pathname.split('/')
    if (place === 'gateway.do' && request.method === 'POST') return answerCall(request, searchParams, response)
    if (place === 'gateway.do') return openPage(searchParams, response)
    if (place === 'bill') return void response.end(billArchive(name, billRows(name)))
    const trade = trades.all.get(name)
    if (place === 'pay' && trade) return request.method === 'POST' ? goBack(trade, response) : open(trade, response)
    response.writeHead(404).end()
  }

  const check = (form: URLSearchParams): AlipayRequest => {
    const checked = checkRequest(form, { hasCertificates: mode === 'certificate' })
    seen.push({ call: calls[checked.method] ?? checked.method, attemptNo: checked.content.out_trade_no ?? '' })
    return checked
  }

  const complain = (error: unknown): Refused => {
    if (!(error instanceof Refused)) throw error
    if (error.code !== '40004' || error.subCode === 'ACQ.INVALID_PARAMETER') complaints.push(error.message)
    return error
  }

  const answerCall = async (
    request: IncomingMessage,
    query: URLSearchParams,
    response: ServerResponse,
  ): Promise<void> => {
    const form = new URLSearchParams(await text(request))
    if (query.get('charset') !== 'utf-8') complaints.push('the address does not name the charset')
    const fault = faults.shift()
    if (fault === 'no-answer') return void request.socket.destroy()
    if (fault === 'server-error') return void response.writeHead(502).end('<html>')
    const result = call(form)
    // The client does not wait for it.
    if (fault === 'too-late') return
    const isWrong = fault === 'wrong-signature'
    response.end(fault === 'not-json' ? '<html>' : signedAnswer(form.get('method') ?? '', result, isWrong))
  }

  const call = (form: URLSearchParams): Record<string, string> => {
    const fields = changedFields
    changedFields = undefined
    try {
      return { code: '10000', msg: 'Success', ...perform(check(form)), ...fields }
    } catch (error) {
      const { code, subCode } = complain(error)
      return { code, msg: 'Failed', sub_code: subCode, sub_msg: '处理失败/failed', ...fields }
    }
  }

  const perform = (request: AlipayRequest): Record<string, string> => {
    const { content } = request
    const { out_trade_no: no = '', out_request_no: refundNo = '' } = content
    const methods: Record<string, () => Record<string, string>> = {
      'alipay.trade.precreate': () => {
        trades.create(request)
        return { out_trade_no: no, qr_code: `${url}/pay/${no}` }
      },
      'alipay.trade.query': () => describeTrade(trades.get(no)),
      'alipay.trade.close': () => ({ out_trade_no: no, trade_no: trades.close(no).alipayNo }),
      'alipay.trade.refund': () => {
        const hasMovedMoney = trades.refund(content)
        return {
          out_trade_no: no,
          fund_change: hasMovedMoney ? 'Y' : 'N',
          refund_fee: yuan(refundedFen(trades.get(no))),
        }
      },
      'alipay.trade.fastpay.refund.query': (): Record<string, string> => {
        const refund = trades.get(no).refunds.find((refund) => refund.no === refundNo)
        return refund
          ? { out_request_no: refundNo, refund_amount: yuan(refund.fen), refund_status: 'REFUND_SUCCESS' }
          : {}
      },
      'alipay.data.dataservice.bill.downloadurl.query': () => {
        const { bill_date: day = '' } = content
        if (day > time(Date.now()).slice(0, 10)) throw new Refused('40004', 'isp.bill_not_exist')
        return { bill_download_url: `${url}/bill/${day}` }
      },
    }
    const answerOf = methods[request.method]
    if (!answerOf) throw new Refused('40001', 'isv.missing-method', `${request.method} is a page`)
    return answerOf()
  }

  /** Who opens the page has logged in: from now on the trade exists. */
  const openPage = (form: URLSearchParams, response: ServerResponse): void => {
    try {
      open(trades.create(check(form)), response)
    } catch (error) {
      showMessage(response, 400, complain(error).message)
    }
  }

  const open = (trade: Trade, response: ServerResponse): void => {
    trade.isOpened = true
    showPayPage(response, trade)
  }

  const goBack = (trade: Trade, response: ServerResponse): void => {
    trades.pay(trade.no)
    if (!trade.returnUrl) return showMessage(response, 200, '付款成功')
    const returned = { out_trade_no: trade.no, trade_no: trade.alipayNo, total_amount: yuan(paidFen(trade)) }
    const address = new URL(trade.returnUrl)
    const fields = { ...returned, app_id: appId, seller_id: sellerId, charset: 'utf-8', timestamp: time(Date.now()) }
    for (const [key, value] of composeForm(fields)) address.searchParams.append(key, value)
    response.writeHead(303, { location: address.href }).end()
  }

  const billRows = (day: string): BillRow[] => {
    const known = [...trades.all.values()].filter(({ no }) => !forgotten.has(no)).flatMap(rowsOf)
    return [...known, ...added].filter(({ at }) => time(at).startsWith(day))
  }

  return {
    url,
    settings: {
      enable_alipay: 'true',
      alipay_app_id: appId,
      alipay_seller_id: sellerId,
      alipay_private_key: bareKey(applicationKey),
      alipay_mode: mode,
      alipay_face_to_face: String(isFaceToFace),
      alipay_public_key: bareKey(createPublicKey(alipayKey).export({ type: 'spki', format: 'pem' }).toString()),
      alipay_app_certificate: applicationCertificate,
      alipay_certificate: alipayCertificate,
      alipay_root_certificate: rootCertificates,
      alipay_gateway: `${url}/gateway.do`,
    },
    calls: seen,
    complaints,
    pay: (attemptNo, paid) => void trades.pay(attemptNo, paid),
    notify: async (attemptNo, fault) => {
      const trade = trades.get(attemptNo)
      return sendNotice(trade.notifyUrl, noticeWith(fault, noticeFields(trade)))
    },
    notifyRefund: async (refundNo, fault) => {
      const { trade, refund } = trades.findRefund(refundNo)
      const told = { refund_fee: yuan(refundedFen(trade)), out_biz_no: refundNo, gmt_refund: `${time(refund.at)}.357` }
      return sendNotice(trade.notifyUrl, noticeWith(fault, { ...noticeFields(trade), ...told }))
    },
    noticeFields: (attemptNo) => noticeFields(trades.get(attemptNo)),
    misbehave: (fault, times = 1) => void faults.push(...Array.from({ length: times }, () => fault)),
    answerWith: (fields) => void (changedFields = fields),
    answerRefunds: (state) => void (trades.isRefusingRefunds = state === 'refused'),
    changeBill: ({ forget, add }) => {
      if (forget) forgotten.add(forget)
      const unknown = { kind: '交易', refundNo: '', subject: '卡', at: Date.now() } as const
      if (add) added.push({ ...unknown, no: add.attemptNo, alipayNo: `2026${added.length}`, fen: add.fen })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  /** The signature covers the inner object as it is written, with its escaped slashes. */
  function signedAnswer(method: string, result: Record<string, string>, isWrong: boolean): string {
    const inner = JSON.stringify(result).replaceAll('/', '\\/')
    const signature = sign('RSA-SHA256', Buffer.from(inner), isWrong ? unrelatedKey : alipayKey).toString('base64')
    // The gateway does not know whose key to use.
    if (result.sub_code === 'isv.invalid-app-id') return `{"error_response":${inner}}`
    const certificate = mode === 'certificate' ? `"alipay_cert_sn":"${alipayCertificateNumber}",` : ''
    return `{"${method.replaceAll('.', '_')}_response":${inner},${certificate}"sign":"${signature}"}`
  }
}
