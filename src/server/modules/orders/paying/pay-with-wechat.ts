import { PaymentMethod } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { isWayOffered } from '#shared/pay-problems.ts'
import type { MemberCtx } from '#server/context.ts'
import type { PayInstruction, PayProvider } from '#server/gateways/pay/pay-provider.ts'
import { WeChatError } from '#server/gateways/wechat/api.ts'
import {
  authorizeUrl,
  exchangeBrowserCode,
  exchangeMiniProgramCode,
  type WeChatPerson,
} from '#server/gateways/wechat/openid.ts'
import type { OrderRow } from '#server/modules/orders/orders.queries.ts'
import { payWithProvider, returnUrlOf } from './pay-with-provider.ts'
import { findProvider, getProvider } from './providers.ts'
import { toPayClient } from './pay-client.ts'

interface WeChatCodes {
  /** A fresh login code of the mini program. */
  minicode: string
  /** What the browser inside WeChat came back with. */
  wechatCode: string
}

/**
 * Inside WeChat the payer's openid is asked for first. A mini program brings a code for it; the browser inside WeChat is sent
 * to WeChat, and comes back with one.
 */
export async function payWithWeChat(
  ctx: MemberCtx,
  order: OrderRow,
  { minicode, wechatCode }: WeChatCodes,
): Promise<PayInstruction> {
  const { pay } = ctx.settings
  const begin = (provider: PayProvider, client: 'mini-program' | 'wechat-browser', openid: string) =>
    payWithProvider(ctx, order.id, { method: PaymentMethod.WeChatPay, provider, client, openid })

  if (minicode) {
    const app = miniProgram(ctx)
    if (!app) throw errors.orders.methodDenied()
    const openid = await exchange(ctx, () => exchangeMiniProgramCode(app, minicode))
    return begin(getProvider(ctx, 'wechat'), 'mini-program', openid)
  }
  const provider = findProvider(ctx, 'wechat')
  if (!provider) throw errors.orders.methodDenied()
  const client = toPayClient(ctx.origin.userAgent)
  if (client !== 'wechat-browser') {
    return payWithProvider(ctx, order.id, { method: PaymentMethod.WeChatPay, provider, client })
  }
  // Without the secret the code for another phone is all there is.
  if (!pay.wechat_app_secret) {
    return payWithProvider(ctx, order.id, { method: PaymentMethod.WeChatPay, provider, client: 'desktop' })
  }
  const app = { appId: pay.wechat_app_id.trim(), secret: pay.wechat_app_secret.trim() }
  if (!wechatCode) {
    // Only its buyer knows the number of the order: a browser that comes back with it was sent from here.
    const target = { returnUrl: returnUrlOf(ctx, order), state: order.order_no }
    return { kind: 'redirect', url: authorizeUrl({ ...app, gateway: pay.wechat_open_gateway }, target) }
  }
  const account = { ...app, gateway: pay.wechat_api_gateway }
  return begin(provider, client, await exchange(ctx, () => exchangeBrowserCode(account, wechatCode)))
}

function miniProgram({ settings }: MemberCtx) {
  if (!isWayOffered(settings, 'mp_wechat')) return undefined
  const { app_id, app_secret, gateway } = settings.miniprogram
  return { appId: app_id.trim(), secret: app_secret.trim(), gateway }
}

async function exchange(ctx: MemberCtx, ask: () => Promise<WeChatPerson>): Promise<string> {
  try {
    return (await ask()).openid
  } catch (error) {
    if (!(error instanceof WeChatError)) throw error
    if (error.isStale) throw errors.orders.wechatCodeStale()
    ctx.log.error({ reason: error.message }, 'WeChat did not tell who pays')
    throw errors.orders.providerFailed()
  }
}
