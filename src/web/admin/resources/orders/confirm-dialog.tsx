import { Form, Image, Input, Modal, Select, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { StaffOrder } from '#shared/contract/orders.ts'
import { OrderStatus, type PaymentMethod } from '#shared/enums.ts'
import { offlineMethods } from '#shared/payment-methods.ts'
import { formatYuan, parseYuan } from '#shared/prices.ts'
import { YuanInput } from '#web/admin/controls/yuan-input.tsx'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import type { PanelProps } from '#web/admin/resource.ts'
import { methodLabels } from '#web/admin/resources/orders/words.ts'
import { useSite } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'

interface Values {
  payment_type?: PaymentMethod
  /** The amount in yuan. */
  received?: string
  remark: string
}

/** Staff have seen the money: what was bought is given to the buyer at once. */
export function ConfirmDialog({ row, onClose, onDone }: PanelProps<StaffOrder>) {
  const [form] = Form.useForm<Values>()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const labels = methodLabels(useSite())
  const ways = offlineMethods.map((value) => ({ value, label: labels[value] }))
  const isLate = row.status === OrderStatus.Closed
  const isClaimed = row.claimed_at !== null
  const title = isLate ? '补发' : '确认收款'
  const submit = ({ received = '', ...values }: Values) =>
    run(async () => {
      try {
        const parsed = parseYuan(received)
        const received_money = isLate || 'problem' in parsed ? undefined : parsed.amount
        await api(contract.orders.confirm, { id: row.id, ...values, received_money })
        showSuccess(`${title}成功，已发放给 ${row.username}`)
        onDone()
      } catch (error) {
        showError(title, error)
      }
    })
  return (
    <Modal
      open
      title={title}
      width="max(30vw, 360px)"
      okText={title}
      okButtonProps={{ loading: busy }}
      onOk={() => form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Typography.Paragraph type="secondary">订单 {row.order_no}</Typography.Paragraph>
      <Typography.Paragraph>
        {isLate
          ? `订单关闭之后收到了 ${row.username} 的付款。确认后，“${row.product_name}”立即发放给买家，订单变为已支付。`
          : `请先核对收到的钱，应收 ${formatYuan(row.money)} 元。确认后，“${row.product_name}”立即发放给 ${row.username}，不能撤回，只能退款。`}
      </Typography.Paragraph>
      {isClaimed && (
        <>
          <Typography.Paragraph type="secondary">买家的说明：{row.claim}</Typography.Paragraph>
          {row.claim_picture && <Image src={row.claim_picture} alt="付款凭证" width={160} />}
        </>
      )}
      <Form
        form={form}
        layout="vertical"
        initialValues={{ remark: row.remark }}
        onFinish={(values) => void submit(values)}
      >
        {!isLate && !isClaimed && (
          <Form.Item name="payment_type" label="收款方式" rules={[{ required: true, message: '请选择收款方式' }]}>
            <Select options={ways} placeholder="请选择" />
          </Form.Item>
        )}
        {!isLate && <ReceivedField due={row.money} />}
        <Form.Item name="remark" label="备注" extra="只有管理人员能看到">
          <Input.TextArea maxLength={500} autoSize={{ minRows: 2, maxRows: 6 }} />
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** The field for the counted money, empty until it is counted; it says what is missing or too much before it is booked. */
function ReceivedField({ due }: { due: number }) {
  const typed: unknown = Form.useWatch('received')
  const parsed = parseYuan(typeof typed === 'string' ? typed : '')
  const received = 'amount' in parsed ? parsed.amount : due
  const difference = Math.abs(received - due)
  const word = received > due ? '多收' : '少收'
  return (
    <Form.Item
      name="received"
      label="收到的金额"
      extra={difference > 0 ? `比应收${word} ${formatYuan(difference)} 元，会记在订单里；照样全部发放` : undefined}
      rules={[
        {
          required: true,
          validator: async (_rule, text: unknown) => {
            const result = parseYuan(typeof text === 'string' ? text : '')
            if ('problem' in result) throw new Error(result.problem)
            if (result.amount === 0) throw new Error('没有收到钱的，请用“未收到”')
          },
        },
      ]}
    >
      <YuanInput />
    </Form.Item>
  )
}
