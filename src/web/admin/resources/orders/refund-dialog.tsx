import { Checkbox, Form, Input, InputNumber, Modal, Select, Skeleton, Typography } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { OrderDetail, StaffOrder } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { isMoneyMethod } from '#shared/payment-methods.ts'
import { formatYuan } from '#shared/prices.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import type { PanelProps } from '#web/admin/resource.ts'
import { nameOf, providerNames } from '#web/admin/resources/orders/words.ts'
import { useCreditName } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { createKey } from '#web/admin/engine/request-key.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface Values {
  /** In yuan for money, in credits otherwise. */
  amount: number
  reason: string
  isOutside?: boolean
}

type Attempt = OrderDetail['payment'][number]

/** Gives back all or a part. The key of the dialog makes a second click, or a retry after a lost reply, harmless. */
export function RefundDialog(props: PanelProps<StaffOrder>) {
  const { row } = props
  const canSeeAttempts = usePermissions().canCall(contract.orders.detail)
  const query = useQuery(row.id, () => api(contract.orders.detail, { id: row.id }), { enabled: canSeeAttempts })
  if (canSeeAttempts && query.data === undefined && !query.error)
    return (
      <Modal open title="退款" footer={null} onCancel={props.onClose}>
        <Skeleton active />
      </Modal>
    )
  const attempts = (query.data?.payment ?? []).filter(({ state }) => state === 'paid' || state === 'surplus')
  return <RefundForm {...props} attempts={attempts} />
}

function RefundForm({ row, attempts, onClose, onDone }: PanelProps<StaffOrder> & { attempts: Attempt[] }) {
  const [form] = Form.useForm<Values>()
  const [key] = useState(createKey)
  const surplus = attempts.find(({ state }) => state === 'surplus')
  const own = attempts.find(({ state }) => state === 'paid')
  // Of money that came too much, the order itself keeps its own.
  const [attempt, setAttempt] = useState(surplus ?? own)
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const credit = useCreditName()
  const isMoney = attempt !== undefined || isMoneyMethod(row.payment_type)
  const left = countLeft(row, attempt, isMoney)
  const submit = ({ amount, reason, isOutside = false }: Values) =>
    run(async () => {
      try {
        const { state, message } = await api(contract.orders.refund, {
          id: row.id,
          payment_id: attempt?.id ?? 0,
          amount: isMoney ? Math.round(amount * 100) : amount,
          reason,
          is_outside: isOutside,
          key,
        })
        if (state === 'refused') throw new Error(message || '支付平台拒绝了退款')
        showSuccess(state === 'done' ? '退款成功' : `退款已提交，等待支付平台的结果。${message}`)
        onDone()
      } catch (error) {
        showError('退款', error)
      }
    })
  return (
    <Modal
      open
      title="退款"
      width="max(32vw, 360px)"
      okText="退款"
      okButtonProps={{ danger: true, loading: busy }}
      onOk={() => form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Typography.Paragraph>
        {row.product_name}（{row.username}，订单 {row.order_no}）
      </Typography.Paragraph>
      <Form
        form={form}
        layout="vertical"
        initialValues={{ amount: isMoney ? left / 100 : left, reason: '' }}
        onFinish={(values) => void submit(values)}
      >
        {attempts.length > 1 && (
          <Form.Item label="退哪一笔" htmlFor="refund-attempt">
            <Select
              id="refund-attempt"
              value={attempt?.id}
              options={attempts.map((candidate) => ({ value: candidate.id, label: describeAttempt(candidate) }))}
              onChange={(id: number) => {
                const chosen = attempts.find((candidate) => candidate.id === id)
                setAttempt(chosen)
                form.setFieldValue('amount', countLeft(row, chosen, true) / 100)
              }}
            />
          </Form.Item>
        )}
        <Form.Item
          name="amount"
          label={isMoney ? '退款金额' : `退还的${credit}`}
          rules={[{ required: true, message: '请输入退款金额' }]}
          extra={`最多可退 ${isMoney ? `${formatYuan(left)} 元` : `${left} ${credit}`}`}
        >
          <InputNumber
            min={isMoney ? 0.01 : 1}
            max={isMoney ? left / 100 : left}
            precision={isMoney ? 2 : 0}
            suffix={isMoney ? '元' : credit}
            style={{ width: '100%' }}
          />
        </Form.Item>
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, message: '请写明原因' }]}>
          <Input maxLength={200} autoComplete="off" />
        </Form.Item>
        {attempt && (
          <Form.Item name="isOutside" valuePropName="checked">
            <Checkbox>已经在{nameOf(providerNames, attempt.provider)}的后台退款，这里只记账</Checkbox>
          </Form.Item>
        )}
        <Typography.Paragraph type="secondary">{describeConsequences(row, attempt, credit)}</Typography.Paragraph>
        {/* Enter in a field submits only where the form has a submit button. */}
        <button type="submit" hidden>
          退款
        </button>
      </Form>
    </Modal>
  )
}

function countLeft(row: StaffOrder, attempt: Attempt | undefined, isMoney: boolean): number {
  if (attempt?.state === 'surplus') return attempt.money
  return isMoney ? (attempt?.money ?? row.received_money) - row.refunded_money : row.amount - row.refunded_credits
}

function describeAttempt({ provider, money, state }: Attempt): string {
  return `${nameOf(providerNames, provider)} ${formatYuan(money)} 元${state === 'surplus' ? '（多收）' : ''}`
}

/** What will happen, so that staff are not surprised. */
function describeConsequences(row: StaffOrder, attempt: Attempt | undefined, credit: string): string {
  const way = describeWay(row, attempt, credit)
  if (attempt?.state === 'surplus' || row.status !== OrderStatus.Paid) return `${way}买家已经得到的东西不变。`
  if (row.order_type === OrderType.TopUp)
    return `${way}充值得到的${credit}按比例扣回；已经花掉的部分扣不回来，会记在退款里。`
  if (row.order_type === OrderType.Vip) return `${way}全部退完时，这个订单的 VIP 卡立即结束；只退一部分时不变。`
  return `${way}作者的所得按比例扣回；全部退完时，买家不能再免费下载这份文档。`
}

function describeWay(
  { payment_type, payment_title }: StaffOrder,
  attempt: Attempt | undefined,
  credit: string,
): string {
  if (attempt) return `款项由${nameOf(providerNames, attempt.provider)}原路退回给买家。`
  if (isMoneyMethod(payment_type)) return `请先把钱退给买家（${payment_title}）：这里只记账。`
  return payment_type === PaymentMethod.Credits ? `${credit}退回到买家的余额。` : '买家没有付钱，只收回已经发放的。'
}
