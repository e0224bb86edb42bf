import { createPublicKey, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AnswerFault, PaySimulator } from './pay-simulator.ts'
import { openBills } from './wechat/bills.ts'
import { openLoginCodes } from './wechat/codes.ts'
import { makeCertificateKey, makePlatformKeys, signMessage, type SigningKey } from './wechat/keys.ts'
import { openLedger } from './wechat/ledger.ts'
import { sendNotice } from './wechat/notices.ts'
import { operations, paymentNotice, refundNotice, type Reply, type WeChatState } from './wechat/operations.ts'
import { Refusal, verifyRequest, type WeChatRequest } from './wechat/requests.ts'

type KeyKind = 'public_key' | 'certificate'

export interface WeChatSimulator extends PaySimulator {
  /** How the next request will be answered wrongly. */
  nextFault(): AnswerFault | undefined
  /** Notices come under either kind of key while a merchant migrates. */
  signNoticesWith(kind: KeyKind): void
  /** A notice about something that the product does not follow. */
  notifyOther(event: string, url: string): Promise<{ status: number; body: string }>
  /** The platform signs with a new certificate from now on, which lives for so many milliseconds. */
  rotateCertificate(expiresIn?: number): void
  /** Only the newest certificate is given out from now on. */
  withdrawOldCertificates(): void
  /** A fresh login code of the mini program. */
  miniProgramCode(): string
  /** Until it is told `undefined`, calls of this name are refused. */
  refuse(call: string, refusal: { status: number; code: string; message: string } | undefined): void
}

interface Options {
  /** What the merchant verifies with. */
  mode?: KeyKind | 'both'
  now?(): number
}

const merchant = '1900000109'
const appId = 'wxd678efh567hg6787'
const appSecret = '7b1f0c5e2a9d4c3f8e6a1b2c3d4e5f60'
/** Another app that is bound to the merchant. */
export const miniProgramAppId = 'wx8888888888888888'
export const miniProgramSecret = '0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d'

/** WeChat Pay, API v3, as strict about requests as the real one. */
export async function startWeChatSimulator({
  mode = 'public_key',
  now = Date.now,
}: Options = {}): Promise<WeChatSimulator> {
  const keys = makePlatformKeys(now())
  const ledger = openLedger(now)
  const loginCodes = openLoginCodes([
    { appId, secret: appSecret },
    { appId: miniProgramAppId, secret: miniProgramSecret },
  ])
  const state: WeChatState = {
    url: '',
    merchant,
    appIds: [appId, miniProgramAppId],
    keys,
    ledger,
    bills: openBills(ledger, now),
    refundAnswer: 'done',
    hasCertificates: mode !== 'public_key',
    loginCodes,
  }
  const calls: { call: string; attemptNo: string }[] = []
  const complaints: string[] = []
  const faults: AnswerFault[] = []
  const refusals = new Map<string, Refusal>()
  const seenNonces = new Set<string>()
  let noticeKind: KeyKind = mode === 'certificate' ? 'certificate' : 'public_key'

  const keyOf = (kind: KeyKind): SigningKey =>
    kind === 'certificate' ? (keys.certificates.at(-1) ?? keys.publicKey) : keys.publicKey

  /** The header of the request decides. */
  const answerKey = (serial: string | undefined): SigningKey => {
    if (serial === undefined) return keyOf(state.hasCertificates ? 'certificate' : 'public_key')
    const key = [keys.publicKey, ...keys.certificates].find((candidate) => candidate.serial === serial)
    if (!key) throw new Refusal(400, 'INVALID_REQUEST', 'Wechatpay-Serial不正确', true)
    return key
  }

  const answer = (request: WeChatRequest): Reply => {
    verifyRequest({ keys, merchant, seenNonces, now }, request)
    answerKey(serialOf(request))
    for (const operation of operations) {
      const match = operation.method === request.method && operation.path.exec(request.path)
      if (!match) continue
      const attemptNo = decodeURIComponent(match[1] ?? '') || numberIn(request.body)
      calls.push({ call: operation.call, attemptNo })
      const refusal = refusals.get(operation.call)
      if (refusal) throw refusal
      return operation.answer(state, request, attemptNo)
    }
    throw new Refusal(404, 'RESOURCE_NOT_EXISTS', `没有这个接口 ${request.method} ${request.path}`, true)
  }

  const reply = (request: WeChatRequest): Reply => {
    try {
      return answer(request)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, code, message, isComplaint } = error
      if (isComplaint) complaints.push(`${request.method} ${request.target}: ${message}`)
      // Without a right signature there is nobody to sign for.
      return { status, body: JSON.stringify({ code, message, detail: {} }), isSigned: status !== 401 }
    }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(incoming)
    if (request.path.startsWith('/cgi-bin/')) {
      response.end('<!doctype html><title>微信支付</title>')
      return
    }
    const parameter = codeParameters[request.path]
    if (parameter) {
      response.setHeader('content-type', 'text/plain')
      response.end(JSON.stringify(loginCodes.exchange(request.query, parameter)))
      return
    }
    if (request.path === '/connect/oauth2/authorize') {
      response.writeHead(302, { location: authorizedUrl(request) }).end()
      return
    }
    const fault = faults.shift()
    const right = reply(request)
    if (fault === 'no-answer') {
      incoming.socket.destroy()
      return
    }
    // It is held until the other side gives up.
    if (fault === 'too-late') return
    const { status, body, isSigned = true } = fault ? (misreply(fault) ?? right) : right
    response.setHeader('request-id', `08${randomBytes(12).toString('hex').toUpperCase()}-268578704`)
    response.setHeader('date', new Date(now()).toUTCString())
    if (isSigned) {
      const key = findAnswerKey(serialOf(request))
      const privateKey = fault === 'wrong-signature' ? keys.foreignKey : key.privateKey
      const message = {
        timestamp: String(Math.floor(now() / 1000)),
        nonce: randomBytes(16).toString('hex'),
        body: String(body),
      }
      response.setHeader('wechatpay-timestamp', message.timestamp)
      response.setHeader('wechatpay-nonce', message.nonce)
      response.setHeader('wechatpay-serial', key.serial)
      response.setHeader('wechatpay-signature', signMessage(privateKey, message))
      response.setHeader('wechatpay-signature-type', 'WECHATPAY2-SHA256-RSA2048')
    }
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(body)
  }

  /** As WeChat's own browser goes, which asks nobody for `snsapi_base`. */
  const authorizedUrl = ({ query }: WeChatRequest): string => {
    const back = new URL(query.get('redirect_uri') ?? '')
    const isRight = query.get('response_type') === 'code' && query.get('scope') === 'snsapi_base'
    if (!isRight) complaints.push(`authorize: ${query}`)
    back.searchParams.set('code', loginCodes.give(query.get('appid') ?? ''))
    back.searchParams.set('state', query.get('state') ?? '')
    return back.href
  }

  const findAnswerKey = (serial: string | undefined) => {
    try {
      return answerKey(serial)
    } catch {
      return keys.publicKey
    }
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      complaints.push(`simulator: ${String(error)}`)
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url: state.url,
    settings: {
      enable_wechat: 'true',
      wechat_app_id: appId,
      wechat_app_secret: appSecret,
      wechat_mch_id: merchant,
      wechat_serial: keys.merchant.serial,
      wechat_api_key: keys.apiKey,
      wechat_private_key: keys.merchant.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      wechat_mode: mode,
      ...(mode !== 'certificate' && {
        wechat_public_key_id: keys.publicKey.serial,
        wechat_public_key: createPublicKey(keys.publicKey.privateKey)
          .export({ type: 'spki', format: 'pem' })
          .toString(),
      }),
      wechat_gateway: state.url,
      wechat_api_gateway: state.url,
      wechat_open_gateway: state.url,
    },
    calls,
    complaints,
    pay: ledger.pay,
    async notify(attemptNo, fault) {
      const order = ledger.getOrder(attemptNo)
      if (!order.payment) throw new Error(`${attemptNo} is not paid`)
      return sendNotice(paymentNotice(ledger, order), { keys, key: keyOf(noticeKind), now: now(), fault })
    },
    async notifyRefund(refundNo, fault) {
      const refund = ledger.getRefund(refundNo)
      return sendNotice(refundNotice(refund), { keys, key: keyOf(noticeKind), now: now(), fault })
    },
    misbehave(fault, times = 1) {
      for (let time = 0; time < times; time++) faults.push(fault)
    },
    answerRefunds(answered) {
      state.refundAnswer = answered
      if (answered !== 'processing') ledger.finishRefunds(answered === 'done' ? 'SUCCESS' : 'CLOSED')
    },
    changeBill({ forget, add }) {
      if (forget !== undefined) state.bills.forget(forget)
      if (add) state.bills.add(add.attemptNo, add.fen)
    },
    nextFault: () => faults[0],
    signNoticesWith(kind) {
      noticeKind = kind
    },
    notifyOther: (event, url) =>
      sendNotice(
        { event, type: 'other', url, content: {} },
        { keys, key: keyOf(noticeKind), now: now(), fault: undefined },
      ),
    rotateCertificate(expiresIn) {
      keys.certificates.push(makeCertificateKey(now(), expiresIn))
    },
    withdrawOldCertificates() {
      keys.certificates.splice(0, keys.certificates.length - 1)
    },
    miniProgramCode: () => loginCodes.give(miniProgramAppId),
    refuse(call, refusal) {
      if (refusal) refusals.set(call, new Refusal(refusal.status, refusal.code, refusal.message))
      else refusals.delete(call)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const codeParameters: Record<string, 'code' | 'js_code'> = {
  '/sns/oauth2/access_token': 'code',
  '/sns/jscode2session': 'js_code',
}

/** `no-answer` and `too-late` answer nothing, `wrong-signature` the right thing. */
function misreply(fault: AnswerFault): Reply | undefined {
  if (fault === 'server-error') return { status: 500, body: '{"code":"SYSTEM_ERROR","message":"系统异常，请稍后重试"}' }
  return fault === 'not-json' ? { status: 200, body: '<html>' } : undefined
}

async function readRequest(incoming: IncomingMessage): Promise<WeChatRequest> {
  const target = incoming.url ?? ''
  const { pathname, searchParams } = new URL(target, 'http://localhost')
  const { method = '', headers } = incoming
  return { method, target, path: pathname, query: searchParams, headers, body: await text(incoming) }
}

function serialOf({ headers }: WeChatRequest): string | undefined {
  return headers['wechatpay-serial']?.toString()
}

function numberIn(body: string): string {
  return /"out_trade_no":"([^"]*)"/.exec(body)?.[1] ?? ''
}
