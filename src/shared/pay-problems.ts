import { methodTitle, type paymentMethods, type PayProviderName } from './payment-methods.ts'
import { PaymentMethod } from './enums.ts'
import { findField, type GroupName, type Settings } from './settings.ts'

/** Why a way of paying that is switched on cannot be paid with, and which are left for buyers. */

type Pay = Settings['pay']
/** The values of the payment settings, also those of a form that is being filled in. */
type PayValues = Readonly<Record<string, unknown>>
type OfflineName = NonNullable<(typeof paymentMethods)[PaymentMethod]['offline']>
/** Each has a switch of its own. */
export type PayWay = PayProviderName | 'mp_wechat' | OfflineName

/** The settings that ways of paying need; values of a form have those of its own group only. */
interface PaySettings {
  pay: PayValues
  system: Pick<Settings['system'], 'domain'>
  miniprogram?: PayValues
}

/** The payment settings without which a way does not work. */
const required: Record<PayWay, (pay: PayValues) => readonly (keyof Pay)[]> = {
  wechat: wechatFields,
  mp_wechat: wechatFields,
  alipay: ({ alipay_mode }) => [
    'alipay_app_id',
    'alipay_private_key',
    ...(alipay_mode === 'certificate'
      ? (['alipay_app_certificate', 'alipay_certificate', 'alipay_root_certificate'] as const)
      : (['alipay_public_key'] as const)),
  ],
  third: ({ third_dialect }) => [
    'third_merchant_id',
    ...(third_dialect === 'epay_v2' ? (['third_private_key', 'third_public_key'] as const) : (['third_key'] as const)),
    ...(third_dialect === 'xunhupay' ? [] : (['third_gateway'] as const)),
  ],
  // Nobody can transfer money to an account that is not told.
  bank_card: () => ['bank_card_text'],
  cash: () => [],
  other: () => [],
}

function wechatFields({ wechat_mode }: PayValues): readonly (keyof Pay)[] {
  return [
    'wechat_app_id',
    'wechat_mch_id',
    'wechat_serial',
    'wechat_api_key',
    'wechat_private_key',
    ...(wechat_mode === 'certificate' ? [] : (['wechat_public_key_id', 'wechat_public_key'] as const)),
  ]
}

/** The ways that staff confirm; no provider sends notices of them to the site's domain. */
const offlineWays: ReadonlySet<PayWay> = new Set(['bank_card', 'cash', 'other'])

/** A gateway's names for what the site can connect to directly: Alipay and WeChat. */
const channels: Partial<Record<PayProviderName, string>> = { alipay: 'alipay', wechat: 'wxpay' }

/** The labels of what is not filled in. Providers send their notices to the site's domain. */
export function findMissing(way: PayWay, { pay, system, miniprogram }: PaySettings): string[] {
  const labels = (group: GroupName, values: PayValues, names: readonly string[]) =>
    names.filter((name) => isBlank(values[name])).map((name) => findField(group, name)?.label ?? name)
  const needsMiniProgram = way === 'mp_wechat' && miniprogram !== undefined
  return [
    ...labels('pay', pay, required[way](pay)),
    ...(needsMiniProgram ? labels('miniprogram', miniprogram, ['app_id', 'app_secret']) : []),
    ...(system.domain || offlineWays.has(way) ? [] : [missingDomain]),
  ]
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}

export const missingDomain = '网站域名'

type Known = Pick<Settings, 'pay' | 'system' | 'miniprogram'>

/** Whether the way is on and works, and offers nothing that buyers are offered already. */
export function isWayOffered(settings: Known, way: PayWay): boolean {
  if (!settings.pay[`enable_${way}`] || findMissing(way, settings).length > 0) return false
  return way !== 'third' || findTwin(settings) === undefined
}

/** The provider that is connected directly and that the third party would offer once more. */
function findTwin(settings: Known): PayProviderName | undefined {
  return (['alipay', 'wechat'] as const).find(
    (name) => settings.pay.third_channel === channels[name] && isWayOffered(settings, name),
  )
}

/** The problems in sentences for the owner, one for each way that is switched on in vain. */
export function findPayProblems(settings: Known): string[] {
  const { pay } = settings
  const ways: readonly [PayWay, title: string][] = [
    ['wechat', methodTitle(PaymentMethod.WeChatPay, pay)],
    ['mp_wechat', findField('pay', 'enable_mp_wechat')?.label ?? ''],
    ['alipay', methodTitle(PaymentMethod.Alipay, pay)],
    ['third', methodTitle(PaymentMethod.ThirdParty, pay)],
    ['bank_card', methodTitle(PaymentMethod.BankCard, pay)],
  ]
  return ways.flatMap(([way, title]) => {
    const missing = pay[`enable_${way}`] ? findMissing(way, settings) : []
    return missing.length > 0 ? [`${title}：还没有填写${missing.join('、')}`] : []
  })
}
