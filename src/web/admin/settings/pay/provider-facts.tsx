import { Alert, Form, type FormInstance } from 'antd'
import { findMissing } from '#shared/pay-problems.ts'
import { notifyPath, type PayProviderName } from '#shared/payment-methods.ts'
import { Addresses } from '#web/admin/settings/addresses.tsx'
import type { Values } from '#web/admin/settings/setting-values.ts'
import styles from '#web/admin/settings/settings.module.css'
import { useSite } from '#web/domain/site.ts'

interface ProviderFactsProps {
  provider: PayProviderName
  form: FormInstance<Values>
}

/** Why buyers would not be offered it as it is filled in, and what is registered with the provider. */
export function ProviderFacts({ provider, form }: ProviderFactsProps) {
  const { domain } = useSite().settings.system
  const values = Form.useWatch([], form) ?? {}
  if (!values[`enable_${provider}`]) return null
  const missing = findMissing(provider, values, domain)
  const twin = provider === 'third' ? twins[String(values['third_channel'])] : undefined
  return (
    <div className={styles.wide}>
      {missing.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`买家看不到它：还没有填写${missing.join('、')}`}
          className={styles.hint}
        />
      )}
      {twin && values[twin.switch] === true && (
        <Alert
          type="info"
          showIcon
          title={`${twin.title}已经直接接入：它能用时，买家只看到一个${twin.title}，不再显示第三方支付。`}
          className={styles.hint}
        />
      )}
      {domain && <Addresses title="要在支付平台登记的地址" rows={addresses[provider](domain)} />}
    </div>
  )
}

/** The direct connection that matches each channel of the third party. */
const twins: Record<string, { switch: string; title: string } | undefined> = {
  alipay: { switch: 'enable_alipay', title: '支付宝' },
  wxpay: { switch: 'enable_wechat', title: '微信支付' },
}

const addresses: Record<PayProviderName, (domain: string) => [title: string, address: string][]> = {
  wechat: (domain) => [
    ['支付通知地址', `${domain}${notifyPath('wechat')}`],
    ['JSAPI 支付授权目录', `${domain}/`],
    ['H5 支付域名、网页授权域名', new URL(domain).host],
  ],
  alipay: (domain) => [
    ['异步通知地址', `${domain}${notifyPath('alipay')}`],
    ['付款后的返回地址', `${domain}/order`],
  ],
  third: (domain) => [
    ['异步通知地址', `${domain}${notifyPath('third')}`],
    ['付款后的返回地址', `${domain}/order`],
  ],
}
