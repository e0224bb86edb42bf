import { methodTitle, paymentMethods, type PayProviderName } from './payment-methods.ts'
import { PaymentMethod } from './enums.ts'
import { findField, type Settings } from './settings.ts'

/** Why a provider that is switched on cannot be paid with, and which are left for buyers. */

type Pay = Settings['pay']
/** The values of the payment settings, also those of a form that is being filled in. */
type PayValues = Readonly<Record<string, unknown>>

/** The settings without which a provider does not work. */
const required: Record<PayProviderName, (pay: PayValues) => readonly (keyof Pay)[]> = {
  wechat: ({ wechat_mode }) => [
    'wechat_app_id',
    'wechat_mch_id',
    'wechat_serial',
    'wechat_api_key',
    'wechat_private_key',
    ...(wechat_mode === 'certificate' ? [] : (['wechat_public_key_id', 'wechat_public_key'] as const)),
  ],
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
}

/** A gateway's names for what the site can connect to directly: Alipay and WeChat. */
const channels: Partial<Record<PayProviderName, string>> = { alipay: 'alipay', wechat: 'wxpay' }

/** The labels of what is not filled in. Providers send their notices to the site's domain. */
export function findMissing(name: PayProviderName, pay: PayValues, domain: string): string[] {
  const fields = required[name](pay).filter((field) => isBlank(pay[field]))
  return [...fields.map((field) => findField('pay', field)?.label ?? field), ...(domain ? [] : [missingDomain])]
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}

export const missingDomain = '网站域名'

/** Whether the provider is on and works, and offers nothing that buyers are offered already. */
export function isProviderOffered(settings: Pick<Settings, 'pay' | 'system'>, name: PayProviderName): boolean {
  const { pay, system } = settings
  if (!pay[`enable_${name}`] || findMissing(name, pay, system.domain).length > 0) return false
  return name !== 'third' || findTwin(settings) === undefined
}

/** The provider that is connected directly and that the third party would offer once more. */
function findTwin(settings: Pick<Settings, 'pay' | 'system'>): PayProviderName | undefined {
  return (['alipay', 'wechat'] as const).find(
    (name) => settings.pay.third_channel === channels[name] && isProviderOffered(settings, name),
  )
}

/** The problems in sentences for the owner, one for each provider that is switched on in vain. */
export function findPayProblems({ pay, system }: Pick<Settings, 'pay' | 'system'>): string[] {
  return [PaymentMethod.WeChatPay, PaymentMethod.Alipay, PaymentMethod.ThirdParty].flatMap((method) => {
    const name = paymentMethods[method].provider
    const missing = name && pay[`enable_${name}`] ? findMissing(name, pay, system.domain) : []
    return missing.length > 0 ? [`${methodTitle(method, pay)}：还没有填写${missing.join('、')}`] : []
  })
}
