import { useNavigate, useSearchParams } from 'react-router'
import { users } from '#shared/contract/users.ts'
import { CodeScene } from '#shared/enums.ts'
import { EmailCodeButton } from '#web/features/users/sign-in/codes/email-code-button.tsx'
import { completeSignIn } from '#web/features/users/sign-in/complete-sign-in.ts'
import { api } from '#web/lib/api.ts'
import { useCaptcha } from '#web/features/users/sign-in/captcha.ts'
import { useForm } from '#web/lib/form.ts'
import { safeRedirect } from '#web/lib/redirect.ts'
import { useSite } from '#web/domain/site.ts'
import { Button } from '#web/ui/button.tsx'
import { CaptchaField } from '#web/features/users/sign-in/captcha-field.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'

export function RegisterForm() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { enable_register, enable_verify_register_email } = useSite().settings.security
  const captcha = useCaptcha('register')
  const renew = () => {
    form.change('captcha', '')
    void captcha.replace()
  }
  const form = useForm({
    initial: { username: '', email: '', password: '', captcha: '', code: '' },
    schema: users.register.input,
    required: {
      username: '请输入用户名',
      email: '请输入邮箱',
      password: '请输入密码',
      ...(captcha.needed && { captcha: '请输入验证码' }),
      ...(enable_verify_register_email && { code: '请输入邮箱验证码' }),
    },
    reasons,
    submit: async (values) => {
      await completeSignIn(await api(users.register, { ...values, captcha_id: captcha.id }))
      await navigate(safeRedirect(query.get('redirect')), { replace: true })
    },
    failed: renew,
  })
  return (
    <form {...form.frame} className="space-y-4">
      {!enable_register && <Notice tone="warning">网站暂未开放注册，如有需要请联系管理员。</Notice>}
      <TextField
        label="用户名"
        {...form.field('username')}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={32}
        help="3 到 32 个字符"
      />
      <TextField
        label="邮箱"
        {...form.field('email')}
        type="email"
        autoComplete="email"
        maxLength={64}
        help={enable_verify_register_email ? '用于登录和找回密码' : '用于找回密码'}
      />
      <PasswordField
        label="密码"
        {...form.field('password')}
        autoComplete="new-password"
        maxLength={128}
        help="至少 8 个字符，不能是常见的密码"
      />
      <CaptchaField captcha={captcha} field={form.field('captcha')} />
      {enable_verify_register_email && (
        <TextField
          label="邮箱验证码"
          {...form.field('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={16}
          beside={
            <EmailCodeButton
              scene={CodeScene.Register}
              email={form.values.email}
              captcha={captcha}
              answer={form.values.captcha}
              onUsed={renew}
            />
          }
        />
      )}
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        busy={form.busy}
        disabled={!enable_register || !form.ready}
      >
        注册
      </Button>
    </form>
  )
}

const reasons = {
  'captcha.needed': 'captcha',
  'captcha.wrong': 'captcha',
  'users.codeWrong': 'code',
  'users.emailTaken': 'email',
  'users.nameTaken': 'username',
  'users.nameLength': 'username',
  'users.nameReserved': 'username',
  'users.nameLooksLikeAddress': 'username',
  'users.nameHasOddCharacters': 'username',
  'users.passwordCommon': 'password',
  'users.passwordNamed': 'password',
} as const
