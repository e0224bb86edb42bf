import type { orders } from '#shared/contract/orders.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { findMissing, missingDomain } from '#shared/pay-problems.ts'
import type { Ctx } from '#server/context.ts'
import { openProvider } from '#server/gateways/pay/open-provider.ts'
import { PayProviderError } from '#server/gateways/pay/pay-provider.ts'
import { assertSecretsStay, withoutMasks } from '#server/modules/settings/kept-secrets.ts'
import { applyChanges, assertValid } from '#server/modules/settings/parse-setting.ts'
import { providerTitles } from './providers.ts'

/** Tries values that are not saved: those of a form that is being filled in. */
export async function testProvider(
  ctx: Ctx,
  { provider, config }: Input<typeof orders.testProvider>,
): Promise<Reply<typeof orders.testProvider>> {
  const changes = withoutMasks(config)
  ctx.audit?.({ change: providerTitles[provider] })
  assertValid(ctx, changes)
  assertSecretsStay(ctx, changes)
  const settings = applyChanges(ctx.settings, changes)
  const missing = findMissing(provider, settings)
  const hasDomain = !missing.includes(missingDomain)
  if (missing.length > (hasDomain ? 0 : 1))
    throw errors.orders.testFailed(`${providerTitles[provider]}：还没有填写${missing.join('、')}`)
  try {
    await openProvider(provider, { ...ctx, settings }).test()
  } catch (error) {
    throw error instanceof PayProviderError ? errors.orders.testFailed(error.message) : error
  }
  const rest = hasDomain ? '' : `；还没有填写${missingDomain}，填好之前买家看不到它`
  return { message: `${providerTitles[provider]}的设置可以使用${rest}` }
}

/** What notices and answers of WeChat Pay are verified with, after asking for newer certificates. */
export async function listWeChatKeys(ctx: Ctx): Promise<Reply<typeof orders.wechatKeys>> {
  const wechat = openProvider('wechat', ctx)
  const message = await explainFailure(() => wechat.refreshKeys())
  let held: ReturnType<typeof wechat.heldKeys> = []
  const problem = await explainFailure(async () => {
    held = wechat.heldKeys()
  })
  return {
    cert: held.map(({ serial, kind, expiresAt }) => ({ serial_no: serial, kind, expired_at: expiresAt })),
    message: problem || message,
  }
}

async function explainFailure(act: () => Promise<void>): Promise<string> {
  try {
    await act()
    return ''
  } catch (error) {
    if (error instanceof PayProviderError) return error.message
    throw error
  }
}
