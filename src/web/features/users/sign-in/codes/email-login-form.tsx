import { useNavigate, useSearchParams } from 'react-router'
import { codeSignIn } from '#shared/contract/code-sign-in.ts'
import { CodeScene } from '#shared/enums.ts'
import { useCaptcha } from '#web/features/users/sign-in/captcha.ts'
import { CaptchaField } from '#web/features/users/sign-in/captcha-field.tsx'
import { completeSignIn } from '#web/features/users/sign-in/complete-sign-in.ts'
import { EmailCodeButton } from '#web/features/users/sign-in/codes/email-code-button.tsx'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { safeRedirect } from '#web/lib/redirect.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { TextField } from '#web/ui/forms/input.tsx'

export function EmailLoginForm() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const captcha = useCaptcha('code')
  const form = useForm({
    initial: { email: '', captcha: '', code: '' },
    schema: codeSignIn.loginByEmail.input,
    required: { email: '请输入邮箱', code: '请输入邮箱验证码' },
    reasons: { 'users.codeWrong': 'code' },
    submit: async ({ email, code }) => {
      await completeSignIn(await api(codeSignIn.loginByEmail, { email, code }))
      await navigate(safeRedirect(query.get('redirect')), { replace: true })
    },
  })
  const { email, captcha: answer } = form.values
  const renew = () => {
    form.change('captcha', '')
    void captcha.replace()
  }
  return (
    <form {...form.frame} className="space-y-4">
      <TextField
        label="邮箱"
        {...form.field('email')}
        type="email"
        autoComplete="email"
        maxLength={64}
        help="只限验证过的邮箱"
      />
      <CaptchaField captcha={captcha} field={form.field('captcha')} />
      <TextField
        label="邮箱验证码"
        {...form.field('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={16}
        beside={<EmailCodeButton scene={CodeScene.Login} {...{ email, captcha, answer }} onUsed={renew} />}
      />
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button type="submit" variant="primary" size="lg" wide busy={form.busy} disabled={!form.ready}>
        登录
      </Button>
    </form>
  )
}
