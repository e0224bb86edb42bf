import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { defaultSettings, type Settings } from '#shared/settings.ts'
import { alipay } from '#server/gateways/pay/alipay/alipay.ts'
import type { PayEnvironment, PaymentRequest, PayProvider } from '#server/gateways/pay/pay-provider.ts'
import { applyChanges } from '#server/modules/settings/parse-setting.ts'
import { type AlipaySimulator, startAlipaySimulator } from '../alipay-simulator.ts'

type Opening = Parameters<typeof startAlipaySimulator>[0] & {
  settings?: Partial<Settings['pay']>
  now?: () => number
}

/** Alipay with its simulator, until the end of the test. */
export async function openAlipay(
  options: Opening = {},
): Promise<{ provider: PayProvider; simulator: AlipaySimulator }> {
  const opened = await connectAlipay(options)
  onTestFinished(() => opened.simulator.close())
  return opened
}

export async function connectAlipay({ settings, now = Date.now, ...options }: Opening = {}) {
  const simulator = await startAlipaySimulator(options)
  const environment: PayEnvironment = { now, nonce: () => randomBytes(16).toString('hex'), timeoutMs: 2000 }
  return { simulator, provider: alipay({ ...settingsOf(simulator), ...settings }, environment) }
}

function settingsOf({ settings }: AlipaySimulator): Settings['pay'] {
  const changes = Object.entries(settings).map(([name, value]) => ({ category: 'pay', name, value }))
  return applyChanges(defaultSettings(), changes).pay
}

let numbers = 0

export function paymentRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    attemptNo: `A${Date.now()}N${++numbers}`,
    fen: 1999,
    title: '会员卡',
    expiresAt: Date.now() + 30 * 60_000,
    notifyUrl: 'https://wenku.example/notify',
    returnUrl: 'https://wenku.example/order/1',
    client: 'desktop',
    ip: '203.0.113.7',
    ...changes,
  }
}
