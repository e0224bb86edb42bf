import { randomBytes } from 'node:crypto'
import type { PayEnvironment, PayProvider } from '#server/gateways/pay/pay-provider.ts'
import { thirdPartyPay } from '#server/gateways/pay/third/third-party-pay.ts'
import { defaultSettings } from '#shared/settings.ts'
import type { PaySimulator } from '../pay-simulator.ts'
import { startThirdPartySimulator } from '../third-simulator.ts'

const environment: PayEnvironment = { now: Date.now, nonce: () => randomBytes(12).toString('hex') }

/** A simulated gateway, and the provider that is set up for it, but for some settings. */
export async function connectThirdParty(
  dialect: Parameters<typeof startThirdPartySimulator>[0],
  changes: Record<string, string> = {},
): Promise<{ simulator: PaySimulator; provider: PayProvider }> {
  const simulator = await startThirdPartySimulator(dialect)
  return { simulator, provider: providerFor({ ...simulator.settings, ...changes }) }
}

export function providerFor(settings: Record<string, string>, changes: Partial<PayEnvironment> = {}): PayProvider {
  return thirdPartyPay({ ...defaultSettings().pay, ...settings, enable_third: true }, { ...environment, ...changes })
}
