import { Form, Input } from 'antd'
import type { CallInput } from '#shared/endpoint.ts'
import { contract } from '#shared/contract/contract.ts'
import { text } from '#web/admin/fields.tsx'
import { toRule } from '#web/admin/engine/forms/validation.ts'
import { AccountDialog } from '#web/admin/shell/account-dialog.tsx'
import { api } from '#web/lib/api.ts'
import { refreshUser } from '#web/domain/account.ts'
import { profileErrorFields } from '#web/domain/profile-errors.ts'

type Profile = CallInput<typeof contract.users.profile>

const fields = [
  text('realname', '真实姓名'),
  text('identity', '身份证号'),
  text('email', '联系邮箱'),
  text('mobile', '手机号码'),
  text('address', '联系地址'),
  text('signature', '个性签名'),
] as const

export function ProfileDialog({ onClose }: { onClose: () => void }) {
  return (
    <AccountDialog<Profile>
      title="个人资料"
      actionLabel="修改"
      load={loadProfile}
      keys={['username', ...fields.map(({ key }) => key)]}
      errorFields={profileErrorFields}
      send={async (values) => {
        await api(contract.users.profile, values)
        await refreshUser()
      }}
      onClose={onClose}
      onDone={onClose}
    >
      {(_form, initial) => (
        <>
          <Form.Item name="username" label="用户名" rules={[{ required: true, message: '请输入登录用户名' }]}>
            <Input autoComplete="username" maxLength={32} />
          </Form.Item>
          {fields.map((field) => (
            <Form.Item
              key={field.key}
              name={field.key}
              label={field.label}
              rules={[toRule(contract.users.profile, field)]}
            >
              <Input disabled={isFixed(field.key, initial)} autoComplete="off" />
            </Form.Item>
          ))}
        </>
      )}
    </AccountDialog>
  )
}

/** The copy in the session may be stale, and saving replaces every field. */
async function loadProfile(): Promise<Profile> {
  const { id, username, realname, identity, email, mobile, address, signature } = await api(contract.users.get)
  return { id, username, realname, identity, email, mobile, address, signature }
}

/** E-mail and mobile identify the account: once set, they cannot be changed here. */
function isFixed(key: string, profile: Partial<Profile>): boolean {
  return (key === 'email' || key === 'mobile') && Boolean(profile[key])
}
