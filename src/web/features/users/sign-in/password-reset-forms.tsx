import { useState } from 'react'
import { useNavigate } from 'react-router'
import { users } from '#shared/contract/users.ts'
import { api } from '#web/lib/api.ts'
import { useCaptcha } from '#web/features/users/sign-in/captcha.ts'
import { useForm } from '#web/lib/form.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CaptchaField } from '#web/features/users/sign-in/captcha-field.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Step one: sends a link by mail. */
export function RequestResetForm() {
  const [sentTo, setSentTo] = useState('')
  const captcha = useCaptcha('find_password')
  const form = useForm({
    initial: { email: '', captcha: '' },
    schema: users.requestPasswordReset.input,
    required: { email: '请输入邮箱', ...(captcha.needed && { captcha: '请输入验证码' }) },
    reasons: { 'captcha.needed': 'captcha', 'captcha.wrong': 'captcha' },
    submit: async (values) => {
      await api(users.requestPasswordReset, { ...values, captcha_id: captcha.id })
      setSentTo(values.email)
    },
    failed: () => {
      form.change('captcha', '')
      void captcha.replace()
    },
  })
  if (sentTo) {
    return (
      <div className="space-y-5">
        <Notice>
          如果有账号使用 <strong>{sentTo}</strong>
          ，邮件已在路上。几分钟内收不到，请检查垃圾邮件，或确认邮箱没有写错。邮件中的链接请在有效期内打开。
        </Notice>
        <ButtonLink to="/login" wide size="lg">
          返回登录
        </ButtonLink>
      </div>
    )
  }
  return (
    <form {...form.frame} className="space-y-4">
      <TextField
        label="邮箱"
        {...form.field('email')}
        type="email"
        autoComplete="email"
        maxLength={64}
        help="注册时填写的邮箱"
      />
      <CaptchaField captcha={captcha} field={form.field('captcha')} />
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button type="submit" variant="primary" size="lg" wide busy={form.busy} disabled={!form.ready}>
        发送重置邮件
      </Button>
    </form>
  )
}

/** Step two: opened by the link in the mail. */
export function NewPasswordForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate()
  const captcha = useCaptcha('find_password')
  const form = useForm({
    initial: { email, token, password: '', repeat: '', captcha: '' },
    schema: users.resetPassword.input,
    required: {
      password: '请输入新密码',
      repeat: '请再次输入新密码',
      ...(captcha.needed && { captcha: '请输入验证码' }),
    },
    reasons: { 'captcha.needed': 'captcha', 'captcha.wrong': 'captcha' },
    check: (values) => (values.password === values.repeat ? {} : { repeat: '新密码与确认密码不一致' }),
    submit: async (values) => {
      await api(users.resetPassword, { ...values, captcha_id: captcha.id })
      toast('密码已重置，请用新密码登录')
      await navigate('/login', { replace: true })
    },
    failed: () => {
      form.change('captcha', '')
      void captcha.replace()
    },
  })
  return (
    <form {...form.frame} className="space-y-4">
      <TextField label="邮箱" {...form.field('email')} type="email" autoComplete="username" readOnly />
      <PasswordField
        label="新密码"
        {...form.field('password')}
        autoComplete="new-password"
        maxLength={128}
        help="至少 8 个字符，不能是常见的密码"
      />
      <PasswordField label="确认新密码" {...form.field('repeat')} autoComplete="new-password" maxLength={128} />
      <CaptchaField captcha={captcha} field={form.field('captcha')} />
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button type="submit" variant="primary" size="lg" wide busy={form.busy} disabled={!form.ready}>
        重置密码
      </Button>
    </form>
  )
}
