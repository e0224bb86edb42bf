import { Form, Input, Modal, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { User } from '#shared/contract/user.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { showFieldErrors } from '#web/admin/engine/forms/validation.ts'
import type { PanelProps } from '#web/admin/resource.ts'
import { refreshUser } from '#web/domain/account.ts'
import { api } from '#web/lib/api.ts'

interface Values {
  password: string
}

/** The owner makes another administrator the owner. */
export function HandOverDialog({ row, onClose, onDone }: PanelProps<User>) {
  const [form] = Form.useForm<Values>()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const submit = ({ password }: Values) =>
    run(async () => {
      try {
        await api(contract.users.handOver, { id: row.id, password })
        await refreshUser()
        showSuccess(`网站已移交，${row.username} 现在是站长`)
        onDone()
      } catch (error) {
        const reasons = { 'users.ownPasswordWrong': 'password' }
        if (!showFieldErrors(form, [{ key: 'password' }], error, reasons)) showError('移交', error)
      }
    })
  return (
    <Modal
      open
      title={`把网站移交给“${row.username}”？`}
      width="max(30vw, 360px)"
      okText="移交网站"
      okButtonProps={{ danger: true, loading: busy }}
      onOk={() => form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Typography.Paragraph type="secondary">
        移交后对方成为站长：账号不能被别人修改、处罚或删除，网站也只能由对方再次移交。您仍然是超级管理员。
      </Typography.Paragraph>
      <Form form={form} layout="vertical" onFinish={(values) => void submit(values)}>
        <Form.Item name="password" label="您的登录密码" rules={[{ required: true, message: '请输入您的登录密码' }]}>
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        <button type="submit" hidden>
          移交网站
        </button>
      </Form>
    </Modal>
  )
}
