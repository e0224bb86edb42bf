import { Form, Input } from 'antd'
import type { Ask } from '#shared/endpoint.ts'
import { contract } from '#shared/contract/contract.ts'
import { text } from '#web/admin/fields.tsx'
import { ruleOf } from '#web/admin/engine/validation.ts'
import { AccountDialog } from '#web/admin/shell/account-dialog.tsx'
import { api } from '#web/lib/api.ts'
import { refreshUser } from '#web/lib/account.ts'
import { useSession } from '#web/lib/session.ts'

type Profile = Ask<typeof contract.users.profile> & { username: string }

const fields = [
  text('realname', '真实姓名'),
  text('identity', '身份证号'),
  text('email', '联系邮箱'),
  text('mobile', '手机号码'),
  text('address', '联系地址'),
  text('signature', '个性签名'),
] as const

export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  // E-mail and mobile identify the account: once given, they are not changed here.
  const fixed = (key: string) => (key === 'email' || key === 'mobile') && user[key] !== ''
  const { username, realname, identity, email, mobile, address, signature } = user
  return (
    <AccountDialog<Profile>
      title="个人资料"
      deed="修改"
      initial={{ username, realname, identity, email, mobile, address, signature }}
      keys={fields.map(({ key }) => key)}
      blame={{ 'users.emailTaken': 'email', 'users.mobileTaken': 'mobile' }}
      onClose={onClose}
      send={async (values) => {
        await api(contract.users.profile, { ...values, id: user.id })
        await refreshUser()
      }}
    >
      {() => (
        <>
          <Form.Item name="username" label="用户名" rules={[{ required: true, message: '请输入登录用户名' }]}>
            <Input disabled autoComplete="username" />
          </Form.Item>
          {fields.map((field) => (
            <Form.Item
              key={field.key}
              name={field.key}
              label={field.label}
              rules={[ruleOf(contract.users.profile, field)]}
            >
              <Input disabled={fixed(field.key)} autoComplete="off" />
            </Form.Item>
          ))}
        </>
      )}
    </AccountDialog>
  )
}
