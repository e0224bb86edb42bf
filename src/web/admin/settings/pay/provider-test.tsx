import { ApiOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { testedProviders } from '#shared/contract/orders.ts'
import { getErrorMessage, useTask } from '#web/admin/engine/feedback.ts'
import styles from '#web/admin/settings/settings.module.css'
import { api } from '#web/lib/api.ts'

type Provider = (typeof testedProviders)[number]

const titles: Record<Provider, string> = { wechat: '微信支付', alipay: '支付宝', third: '第三方支付' }

/** The provider whose settings a section has. */
export function providerOfSection(group: string, names: readonly string[]): Provider | undefined {
  const providers: readonly Provider[] = ['wechat', 'alipay', 'third']
  return group === 'pay' ? providers.find((provider) => names.includes(`enable_${provider}`)) : undefined
}

interface ProviderTestProps {
  provider: Provider
  /** The values of the form; undefined if some of them are not valid. */
  readChanges: () => Promise<{ category: string; name: string; value: string }[] | undefined>
  onFailed: (error: unknown) => void
}

/** Tries the values of the form, which need not be saved. */
export function ProviderTest({ provider, readChanges, onFailed }: ProviderTestProps) {
  const [result, setResult] = useState<{ type: 'success' | 'error'; title: string }>()
  const { busy, run } = useTask()
  const test = () =>
    run(async () => {
      setResult(undefined)
      const config = await readChanges()
      if (!config) return
      try {
        const { message } = await api(contract.orders.testProvider, { provider, config })
        setResult({ type: 'success', title: `${message}；填写的内容没有因此保存` })
      } catch (error) {
        setResult({ type: 'error', title: getErrorMessage(error) })
        onFailed(error)
      }
    })
  return (
    <div className={styles.wide}>
      <Button icon={<ApiOutlined />} loading={busy} onClick={() => void test()}>
        测试{titles[provider]}
      </Button>
      <div aria-live="polite">{result && <Alert showIcon {...result} className={styles.testAnswer} />}</div>
    </div>
  )
}
