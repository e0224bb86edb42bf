import { flushSync } from 'react-dom'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { users } from '#shared/contract/users.ts'
import { ApiError } from '#shared/errors.ts'
import { completeSignIn } from '#web/features/users/sign-in/complete-sign-in.ts'
import { api } from '#web/lib/api.ts'
import { useCaptcha } from '#web/features/users/sign-in/captcha.ts'
import { useForm } from '#web/lib/form.ts'
import { useSite } from '#web/domain/site.ts'
import { safeRedirect } from '#web/lib/redirect.ts'
import { Button } from '#web/ui/button.tsx'
import { PasskeyEntry } from '#web/features/users/sign-in/passkey-entry.tsx'
import { CaptchaField } from '#web/features/users/sign-in/captcha-field.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'

export function LoginForm() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const captcha = useCaptcha('login')
  const accountLabel = useSite().settings.system.enable_sms ? '用户名、邮箱或手机号' : '用户名或邮箱'
  const form = useForm({
    initial: { username: '', password: '', captcha: '' },
    schema: users.login.input,
    required: {
      username: `请输入${accountLabel}`,
      password: '请输入密码',
      ...(captcha.needed && { captcha: '请输入验证码' }),
    },
    reasons: { 'captcha.needed': 'captcha', 'captcha.wrong': 'captcha' },
    submit: async (values) => {
      await completeSignIn(await api(users.login, { ...values, captcha_id: captcha.id }))
      await navigate(safeRedirect(query.get('redirect')), { replace: true })
    },
    failed: (error) => {
      if (error instanceof ApiError && error.reason === 'captcha.needed') flushSync(captcha.askFor)
      form.change('captcha', '')
      void captcha.replace()
    },
  })
  return (
    <form {...form.frame} className="space-y-4">
      <TextField
        label={accountLabel}
        {...form.field('username')}
        autoComplete="username webauthn"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={64}
      />
      <PasswordField
        label="密码"
        {...form.field('password')}
        autoComplete="current-password"
        maxLength={128}
        aside={
          <Link to="/findpassword" className="text-accent hover:underline">
            忘记密码？
          </Link>
        }
      />
      <CaptchaField captcha={captcha} field={form.field('captcha')} />
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button type="submit" variant="primary" size="lg" wide busy={form.busy} disabled={!form.ready}>
        登录
      </Button>
      <PasskeyEntry />
    </form>
  )
}
