import { Button, Typography } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import styles from '#web/admin/settings/settings.module.css'
import { api } from '#web/lib/api.ts'

type Keys = Reply<typeof contract.orders.wechatKeys>

/** What notices are verified with. Asked for with a click: the server asks WeChat. */
export function WeChatKeys() {
  const [keys, setKeys] = useState<Keys>()
  const { busy, run } = useTask()
  const { showError } = useFeedback()
  const load = () =>
    run(async () => {
      try {
        setKeys(await api(contract.orders.wechatKeys))
      } catch (error) {
        showError('读取', error)
      }
    })
  return (
    <div className={styles.wide}>
      <Button disabled={false} loading={busy} onClick={() => void load()}>
        查看验签的公钥和证书
      </Button>
      {keys && (
        <div aria-live="polite">
          <ul className={styles.keys}>
            {keys.cert.map(({ serial_no, kind, expired_at }) => (
              <li key={serial_no}>
                {kind === 'public_key' ? '微信支付公钥' : '平台证书'} <code>{serial_no}</code>{' '}
                {expired_at ? `有效期到 ${formatTime(expired_at)}` : '长期有效'}
              </li>
            ))}
          </ul>
          <Typography.Text type="secondary">
            {keys.message || (keys.cert.length === 0 ? '还没有，请先填写并保存微信支付的设置' : '按已保存的设置')}
          </Typography.Text>
        </div>
      )}
    </div>
  )
}
