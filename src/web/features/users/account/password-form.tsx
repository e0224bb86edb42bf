import { users } from '#shared/contract/users.ts'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

export function PasswordForm({ username, onChanged }: { username: string; onChanged: () => void }) {
  const form = useForm({
    initial: { username, old_password: '', new_password: '', repeat: '' },
    schema: users.password.input,
    required: { old_password: '请输入原密码', new_password: '请输入新密码', repeat: '请再次输入新密码' },
    check: (values) => (values.new_password === values.repeat ? {} : { repeat: '新密码与确认密码不一致' }),
    reasons: {
      'users.wrongPassword': 'old_password',
      'users.samePassword': 'new_password',
      'users.passwordCommon': 'new_password',
      'users.passwordNamed': 'new_password',
    },
    submit: async ({ old_password, new_password }) => {
      await api(users.password, { old_password, new_password })
      toast('密码修改成功，其他设备已退出登录')
      onChanged()
    },
  })
  return (
    <form {...form.frame} className="max-w-sm space-y-4">
      <Notice>修改密码后，当前这台设备保持登录，其他设备都会退出，需要用新密码重新登录。</Notice>
      <TextField label="用户名" {...form.field('username')} readOnly autoComplete="username" />
      <PasswordField label="原密码" {...form.field('old_password')} autoComplete="current-password" maxLength={128} />
      <PasswordField
        label="新密码"
        {...form.field('new_password')}
        autoComplete="new-password"
        maxLength={128}
        help="至少 8 个字符，不能是常见的密码"
      />
      <PasswordField label="确认新密码" {...form.field('repeat')} autoComplete="new-password" maxLength={128} />
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button type="submit" variant="primary" busy={form.busy}>
        修改密码
      </Button>
    </form>
  )
}
