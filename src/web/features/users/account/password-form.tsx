import { users } from '#shared/contract/users.ts'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface PasswordFormProps {
  username: string
  /** A member who logs in with another site's account may have none. */
  hasPassword: boolean
  /** Somebody else has typed the present one. */
  isOwed: boolean
  onChanged: () => void
}

export function PasswordForm({ username, hasPassword, isOwed, onChanged }: PasswordFormProps) {
  const form = useForm({
    initial: { username, old_password: '', new_password: '', repeat: '' },
    schema: users.password.input,
    required: {
      ...(hasPassword && { old_password: '请输入原密码' }),
      new_password: '请输入新密码',
      repeat: '请再次输入新密码',
    },
    check: (values) => (values.new_password === values.repeat ? {} : { repeat: '新密码与确认密码不一致' }),
    reasons: {
      'users.wrongPassword': 'old_password',
      'users.samePassword': 'new_password',
      'users.passwordCommon': 'new_password',
      'users.passwordNamed': 'new_password',
    },
    submit: async ({ old_password, new_password }) => {
      await api(users.password, { old_password, new_password })
      toast(hasPassword ? '密码修改成功，其他设备已退出登录' : '密码已设置，其他设备已退出登录')
      onChanged()
    },
  })
  return (
    <form {...form.frame} className="max-w-sm space-y-4">
      <Notice>
        {isOwed && '现在的密码是别人设置的，换成自己的密码以后才能继续使用。'}
        {hasPassword ? '修改' : '设置'}密码后，当前这台设备保持登录，其他设备都会退出，需要用新密码重新登录。
      </Notice>
      <TextField label="用户名" {...form.field('username')} readOnly autoComplete="username" />
      {hasPassword && (
        <PasswordField label="原密码" {...form.field('old_password')} autoComplete="current-password" maxLength={128} />
      )}
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
        {hasPassword ? '修改密码' : '设置密码'}
      </Button>
    </form>
  )
}
