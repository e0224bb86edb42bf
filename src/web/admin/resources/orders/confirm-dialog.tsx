import { Form, Image, Input, Modal, Select, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { StaffOrder } from '#shared/contract/orders.ts'
import { OrderStatus, type PaymentMethod, paymentMethodLabels } from '#shared/enums.ts'
import { offlineMethods } from '#shared/payment-methods.ts'
import { formatYuan } from '#shared/prices.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import type { PanelProps } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

interface Values {
  payment_type?: PaymentMethod
  remark: string
}

const ways = offlineMethods.map((value) => ({ value, label: paymentMethodLabels[value] }))

/** Staff have seen the money: what was bought is given to the buyer at once. */
export function ConfirmDialog({ row, onClose, onDone }: PanelProps<StaffOrder>) {
  const [form] = Form.useForm<Values>()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const isLate = row.status === OrderStatus.Closed
  const isClaimed = row.claimed_at !== null
  const title = isLate ? '补发' : '确认收款'
  const submit = (values: Values) =>
    run(async () => {
      try {
        await api(contract.orders.confirm, { id: row.id, ...values })
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
          : `请先核对已收到 ${formatYuan(row.money)} 元。确认后，“${row.product_name}”立即发放给 ${row.username}，不能撤回，只能退款。`}
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
        <Form.Item name="remark" label="备注" extra="只有管理人员能看到">
          <Input.TextArea maxLength={500} autoSize={{ minRows: 2, maxRows: 6 }} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
