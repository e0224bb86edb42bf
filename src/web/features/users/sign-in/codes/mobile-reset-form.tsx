import { useNavigate } from 'react-router'
import { codeSignIn } from '#shared/contract/code-sign-in.ts'
import { CodeScene } from '#shared/enums.ts'
import { useCaptcha } from '#web/features/users/sign-in/captcha.ts'
import { MobileFields } from '#web/features/users/sign-in/codes/mobile-fields.tsx'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

export function MobileResetForm() {
  const navigate = useNavigate()
  const captcha = useCaptcha('code')
  const form = useForm({
    initial: { mobile: '', captcha: '', code: '', password: '', repeat: '' },
    schema: codeSignIn.resetByMobile.input,
    required: {
      mobile: '请输入手机号',
      code: '请输入短信验证码',
      password: '请输入新密码',
      repeat: '请再次输入新密码',
    },
    reasons: {
      'users.codeWrong': 'code',
      'users.mobileUnknown': 'mobile',
      'users.passwordCommon': 'password',
      'users.passwordNamed': 'password',
    },
    check: (values) => (values.password === values.repeat ? {} : { repeat: '新密码与确认密码不一致' }),
    submit: async ({ mobile, code, password }) => {
      await api(codeSignIn.resetByMobile, { mobile, code, password })
      toast('密码已重置，请用新密码登录')
      await navigate('/login', { replace: true })
    },
  })
  const renew = () => {
    form.change('captcha', '')
    void captcha.replace()
  }
  return (
    <form {...form.frame} className="space-y-4">
      <MobileFields scene={CodeScene.FindPassword} captcha={captcha} field={form.field} onCaptchaUsed={renew} />
      <PasswordField
        label="新密码"
        {...form.field('password')}
        autoComplete="new-password"
        maxLength={128}
        help="至少 8 个字符，不能是常见的密码"
      />
      <PasswordField label="确认新密码" {...form.field('repeat')} autoComplete="new-password" maxLength={128} />
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button type="submit" variant="primary" size="lg" wide busy={form.busy} disabled={!form.ready}>
        重置密码
      </Button>
    </form>
  )
}
