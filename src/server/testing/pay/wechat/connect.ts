import { randomBytes } from 'node:crypto'
import type { PayEnvironment, PaymentRequest, RawNotice } from '#server/gateways/pay/pay-provider.ts'
import { wechatPay, type WeChatPay } from '#server/gateways/pay/wechat/wechat-pay.ts'
import { defaultSettings, type Settings } from '#shared/settings.ts'
import { receiveNotices, type NoticeReceiver } from '../notice-receiver.ts'
import { miniProgramAppId, startWeChatSimulator, type WeChatSimulator } from '../wechat-simulator.ts'

export interface ConnectedWeChat {
  provider: WeChatPay
  simulator: WeChatSimulator
  receiver: NoticeReceiver
  /** Notices as they came, in order. */
  notices: RawNotice[]
  /** Moves the clock of both sides. */
  advanceClock(ms: number): void
  /** Another provider of the same merchant, with other settings or another clock. */
  another(settings: Partial<Settings['pay']>, environment?: Partial<PayEnvironment>): WeChatPay
  request(changes?: Partial<PaymentRequest>): PaymentRequest
  /** A payment that was made, by its number. */
  paid(): Promise<string>
  downloads(): number
  close(): Promise<void>
}

export function testEnvironment(simulator: WeChatSimulator, now: () => number = Date.now): PayEnvironment {
  return {
    now,
    nonce: () => randomBytes(16).toString('hex'),
    // Short only where the answer never comes: the machine may be busy.
    get timeoutMs() {
      return simulator.nextFault() === 'too-late' ? 500 : 60_000
    },
  }
}

/** A simulator with a provider and its notify address, on one clock. */
export async function connectWeChat(
  mode: 'public_key' | 'certificate' | 'both' = 'public_key',
): Promise<ConnectedWeChat> {
  let offset = 0
  const now = () => Date.now() + offset
  const simulator = await startWeChatSimulator({ mode, now })
  const environment = testEnvironment(simulator, now)
  const settings = { ...defaultSettings().pay, ...simulator.settings }
  const provider = wechatPay(settings, environment, { miniProgramAppId })
  const notices: RawNotice[] = []
  const receiver = await receiveNotices({
    ...provider,
    readNotice(notice) {
      notices.push(notice)
      return provider.readNotice(notice)
    },
  })
  let numbers = 0

  const request = (changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
    attemptNo: `A${randomBytes(6).toString('hex')}${++numbers}`,
    fen: 100,
    title: '文档',
    expiresAt: now() + 30 * 60_000,
    notifyUrl: receiver.url,
    returnUrl: 'https://wenku.example/order/1?from=pay&a=1',
    client: 'desktop',
    ip: '203.0.113.7',
    ...changes,
  })

  return {
    provider,
    simulator,
    receiver,
    notices,
    advanceClock(ms) {
      offset += ms
    },
    another: (changes, other) => wechatPay({ ...settings, ...changes }, { ...environment, ...other }),
    request,
    async paid() {
      const { attemptNo } = request()
      await provider.create(request({ attemptNo }))
      simulator.pay(attemptNo)
      return attemptNo
    },
    downloads: () => simulator.calls.filter(({ call }) => call === 'certificates').length,
    async close() {
      await receiver.close()
      await simulator.close()
    },
  }
}
