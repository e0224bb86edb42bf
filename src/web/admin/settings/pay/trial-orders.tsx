import { Alert, Button, Modal, Table, Typography } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { StaffOrder } from '#shared/contract/orders.ts'
import { formatTime } from '#shared/format.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import styles from '#web/admin/settings/settings.module.css'
import { UserSelect } from '#web/admin/controls/user-select.tsx'
import { useCreditName } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'

interface TrialOrdersProps {
  /** How often the trial was switched off here: each time the list comes by itself, unless it is empty. */
  endings: number
}

/** The grants of the trial, and the way to take them back. */
export function TrialOrders({ endings }: TrialOrdersProps) {
  const [orders, setOrders] = useState<StaffOrder[]>()
  const { busy, run } = useTask()
  const { showError } = useFeedback()
  const mayWithdraw = usePermissions().canCall(contract.orders.trialOrders)
  const show = (isAsked: boolean) =>
    run(async () => {
      try {
        const { order } = await api(contract.orders.trialOrders)
        if (isAsked || order.length > 0) setOrders(order)
      } catch (error) {
        showError('读取试运行的订单', error)
      }
    })
  const showAtEnd = useEffectEvent(() => mayWithdraw && void show(false))
  useEffect(() => {
    if (endings > 0) showAtEnd()
  }, [endings])
  if (!mayWithdraw) return null
  return (
    <div className={styles.wide}>
      <Button disabled={false} loading={busy} onClick={() => void show(true)}>
        查看试运行的订单
      </Button>
      {orders && <TrialDialog orders={orders} onClose={() => setOrders(undefined)} />}
    </div>
  )
}

function TrialDialog({ orders, onClose }: { orders: StaffOrder[]; onClose: () => void }) {
  const credit = useCreditName()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const withdraw = () =>
    run(async () => {
      try {
        const { withdrawn, missing_credits } = await api(contract.orders.withdrawTrial)
        const missing = missing_credits > 0 ? `；${missing_credits} ${credit}已经花掉，没能收回` : ''
        showSuccess(`已收回 ${withdrawn} 个订单发放的内容${missing}`)
        onClose()
      } catch (error) {
        showError('收回', error)
      }
    })
  const isNone = orders.length === 0
  return (
    <Modal
      open
      title="试运行付的订单"
      width="min(720px, 94vw)"
      okText={isNone ? '好' : `全部收回（${orders.length}）`}
      cancelText="先保留"
      okButtonProps={{ danger: !isNone, loading: busy }}
      cancelButtonProps={{ hidden: isNone }}
      onOk={() => (isNone ? onClose() : void withdraw())}
      onCancel={onClose}
    >
      {isNone ? (
        <Typography.Paragraph>没有试运行付的订单，或发放的都已经收回。</Typography.Paragraph>
      ) : (
        <>
          <Alert
            type="warning"
            showIcon
            className={styles.hint}
            title={`这些订单没有收款，发放的还在。收回后，${credit}扣回（已经花掉的扣不回来），VIP 卡立即结束，文档要重新购买，作者的所得也扣回；买家会收到通知。`}
          />
          <Table
            size="small"
            rowKey="id"
            dataSource={orders}
            pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
            scroll={{ x: 'max-content' }}
            columns={[
              { title: '商品', dataIndex: 'product_name' },
              { title: '买家', dataIndex: 'username' },
              { title: '支付时间', dataIndex: 'paid_at', render: (at: number | null) => (at ? formatTime(at) : '') },
              { title: '订单号', dataIndex: 'order_no' },
            ]}
          />
        </>
      )}
    </Modal>
  )
}

interface TrialUsersProps {
  id?: string
  value?: string[]
  onChange?: (value: string[]) => void
}

const nobody: string[] = []

/** Settings are texts: so are the numbers of these users. */
export function TrialUsers({ value = nobody, onChange, ...rest }: TrialUsersProps) {
  const change = (ids: number | number[] | undefined) => onChange?.([ids ?? []].flat().map(String))
  return (
    <UserSelect
      {...rest}
      multiple
      placeholder="输入用户名、姓名、邮箱或手机号搜索"
      value={value.map(Number)}
      onChange={change}
    />
  )
}
