import { Form, Input } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { password } from '#web/admin/fields.tsx'
import { toRule } from '#web/admin/engine/forms/validation.ts'
import { AccountDialog } from '#web/admin/shell/account-dialog.tsx'
import { api } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.ts'

interface Passwords {
  username: string
  old_password: string
  new_password: string
  repeat: string
}

const newPassword = password('new_password', '新密码')

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  return (
    <AccountDialog<Passwords>
      title="修改密码"
      actionLabel="修改密码"
      hint="当前这台设备保持登录，其他设备都会退出。"
      load={() => Promise.resolve({ username: user.username })}
      keys={['old_password', 'new_password']}
      errorFields={{ 'users.wrongPassword': 'old_password', 'users.samePassword': 'new_password' }}
      send={async ({ old_password, new_password }) => {
        await api(contract.users.password, { id: user.id, old_password, new_password })
      }}
      onClose={onClose}
      onDone={onClose}
    >
      {(form) => (
        <>
          <Form.Item name="username" label="用户名">
            <Input disabled autoComplete="username" />
          </Form.Item>
          <Form.Item name="old_password" label="原密码" rules={[{ required: true, message: '请输入原密码' }]}>
            <Input.Password autoComplete="current-password" />
          </Form.Item>
          <Form.Item
            name="new_password"
            label="新密码"
            rules={[
              { required: true, message: '请输入新密码' },
              { ...toRule(contract.users.password, newPassword), validateTrigger: 'onBlur' },
            ]}
            validateFirst
          >
            <Input.Password autoComplete="new-password" />
          </Form.Item>
          <Form.Item
            name="repeat"
            label="确认密码"
            dependencies={['new_password']}
            validateFirst
            rules={[
              { required: true, message: '请再次输入新密码' },
              {
                validator: async (_rule, value: unknown) => {
                  if (value !== form.getFieldValue('new_password')) throw new Error('新密码与确认密码不一致')
                },
              },
            ]}
          >
            <Input.Password autoComplete="new-password" />
          </Form.Item>
        </>
      )}
    </AccountDialog>
  )
}
