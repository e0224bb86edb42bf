import { Form, Input, InputNumber, Modal, Radio } from 'antd'
import { useState } from 'react'
import { maxAdjustment } from '#shared/contract/credits.ts'
import { contract } from '#shared/contract/contract.ts'
import type { User } from '#shared/contract/user.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { createKey } from '#web/admin/engine/request-key.ts'
import type { PanelProps } from '#web/admin/resource.ts'
import { useCreditName } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'

interface Adjustment {
  sign: 1 | -1
  amount: number
  reason: string
}

/** Grants or takes credits. The key of the dialog makes a second click, or a retry after a lost reply, harmless. */
export function CreditAdjustment({ row, onClose, onDone }: PanelProps<User>) {
  const [form] = Form.useForm<Adjustment>()
  const [key] = useState(createKey)
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const credit = useCreditName()
  const sign = Form.useWatch('sign', form) ?? 1
  const amount = Form.useWatch('amount', form) ?? 0
  const submit = (values: Adjustment) =>
    run(async () => {
      try {
        const { balance } = await api(contract.credits.adjust, {
          user_id: row.id,
          amount: values.sign * values.amount,
          reason: values.reason,
          key,
        })
        showSuccess(`${row.username} 现在有 ${balance} ${credit}`)
        onDone()
      } catch (error) {
        showError(`增减${credit}`, error)
      }
    })
  return (
    <Modal
      open
      title={`增减${credit}：${row.username}`}
      width="max(30vw, 360px)"
      okText={sign > 0 ? '增加' : '扣除'}
      okButtonProps={{ loading: busy, danger: sign < 0 }}
      onOk={() => form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ sign: 1, reason: '' }}
        onFinish={(values) => void submit(values)}
      >
        <Form.Item name="sign" label="操作">
          <Radio.Group
            options={[
              { value: 1, label: '增加' },
              { value: -1, label: '扣除' },
            ]}
          />
        </Form.Item>
        <Form.Item
          name="amount"
          label="数量"
          rules={[{ required: true, message: '请输入数量' }]}
          extra={describeBalance(row.credit_count, sign * amount)}
        >
          <InputNumber min={1} max={maxAdjustment} precision={0} suffix={credit} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item
          name="reason"
          label="原因"
          rules={[{ required: true, whitespace: true, message: '请写明原因' }]}
          extra={`用户在${credit}明细里会看到`}
        >
          <Input maxLength={200} autoComplete="off" />
        </Form.Item>
        {/* Enter in a field submits only where the form has a submit button. */}
        <button type="submit" hidden>
          保存
        </button>
      </Form>
    </Modal>
  )
}

function describeBalance(balance: number, change: number): string {
  if (change === 0) return `现有 ${balance}`
  return balance + change < 0 ? `余额只有 ${balance}，不能扣除更多` : `现有 ${balance}，之后 ${balance + change}`
}
