import { Alert, Form, type FormInstance } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { findMissing } from '#shared/pay-problems.ts'
import { notifyPath, type PayProviderName } from '#shared/payment-methods.ts'
import { Addresses } from '#web/admin/settings/addresses.tsx'
import type { Values } from '#web/admin/settings/setting-values.ts'
import styles from '#web/admin/settings/settings.module.css'
import { useSite } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface ProviderFactsProps {
  provider: PayProviderName
  form: FormInstance<Values>
}

/** Why buyers would not be offered it as it is filled in, and what is registered with the provider. */
export function ProviderFacts({ provider, form }: ProviderFactsProps) {
  const { domain } = useSite().settings.system
  const pay = Form.useWatch([], form) ?? {}
  const [isOn, isMiniProgramOn] = [pay[`enable_${provider}`], provider === 'wechat' && pay['enable_mp_wechat']]
  const miniprogram = useMiniProgram(Boolean(isMiniProgramOn))
  if (!isOn && !isMiniProgramOn) return null
  const given = { pay, system: { domain }, ...(miniprogram && { miniprogram }) }
  const warnings = [
    ...(isOn ? [{ subject: '买家看不到它', missing: findMissing(provider, given) }] : []),
    ...(isMiniProgramOn ? [{ subject: '小程序里看不到它', missing: findMissing('mp_wechat', given) }] : []),
  ]
  const twin = provider === 'third' ? twins[String(pay['third_channel'])] : undefined
  return (
    <div className={styles.wide}>
      {warnings.map(({ subject, missing }) => (
        <NotFilledIn key={subject} {...{ subject, missing }} />
      ))}
      {twin && pay[twin.switch] === true && (
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

/** Why buyers would not be offered a bank transfer. */
export function TransferFacts({ form }: { form: FormInstance<Values> }) {
  const pay = Form.useWatch([], form) ?? {}
  if (!pay['enable_bank_card']) return null
  const missing = findMissing('bank_card', { pay, system: { domain: '' } })
  return (
    <div className={styles.wide}>
      <NotFilledIn subject="买家看不到银行卡转账" missing={missing} />
    </div>
  )
}

/** Why members are offered no VIP card. */
export function VipFacts({ form }: { form: FormInstance<Values> }) {
  const vip = Form.useWatch([], form) ?? {}
  const isSold = ['year_price', 'quarter_price', 'month_price'].some((name) => Number(vip[name]) > 0)
  if (!vip['enable'] || isSold) return null
  return (
    <div className={styles.wide}>
      <Alert type="warning" showIcon title="会员买不到 VIP：三张卡的价格都是 0" className={styles.hint} />
    </div>
  )
}

function NotFilledIn({ subject, missing }: { subject: string; missing: readonly string[] }) {
  if (missing.length === 0) return null
  const title = `${subject}：还没有填写${missing.join('、')}`
  return <Alert type="warning" showIcon title={title} className={styles.hint} />
}

/** The saved settings of the mini program, which are filled in on a page of their own; secrets are masked. */
function useMiniProgram(isNeeded: boolean): Record<string, string> | undefined {
  const { data } = useQuery('miniprogram', () => api(contract.settings.list, { category: ['miniprogram'] }), {
    enabled: isNeeded,
  })
  return data && Object.fromEntries(data.config.map(({ name, value }) => [name, value]))
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
