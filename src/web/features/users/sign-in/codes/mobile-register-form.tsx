import { useNavigate, useSearchParams } from 'react-router'
import { codeSignIn } from '#shared/contract/code-sign-in.ts'
import { CodeScene } from '#shared/enums.ts'
import { useSite } from '#web/domain/site.ts'
import { useCaptcha } from '#web/features/users/sign-in/captcha.ts'
import { completeSignIn } from '#web/features/users/sign-in/complete-sign-in.ts'
import { MobileFields } from '#web/features/users/sign-in/codes/mobile-fields.tsx'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { safeRedirect } from '#web/lib/redirect.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'

export function MobileRegisterForm() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { enable_register } = useSite().settings.security
  const captcha = useCaptcha('code')
  const form = useForm({
    initial: { mobile: '', captcha: '', code: '', password: '' },
    schema: codeSignIn.registerByMobile.input,
    required: { mobile: '请输入手机号', code: '请输入短信验证码' },
    reasons: {
      'users.codeWrong': 'code',
      'users.mobileRegistered': 'mobile',
      'users.passwordCommon': 'password',
      'users.passwordNamed': 'password',
    },
    submit: async ({ mobile, code, password }) => {
      await completeSignIn(await api(codeSignIn.registerByMobile, { mobile, code, password }))
      await navigate(safeRedirect(query.get('redirect')), { replace: true })
    },
  })
  const renew = () => {
    form.change('captcha', '')
    void captcha.replace()
  }
  return (
    <form {...form.frame} className="space-y-4">
      {!enable_register && <Notice tone="warning">网站暂未开放注册，如有需要请联系管理员。</Notice>}
      <MobileFields scene={CodeScene.Register} captcha={captcha} field={form.field} onCaptchaUsed={renew} />
      <PasswordField
        label="密码（选填）"
        {...form.field('password')}
        autoComplete="new-password"
        maxLength={128}
        help="至少 8 个字符；不填也可以，以后用短信验证码登录"
      />
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
      <p className="text-center text-sm text-muted">用户名会自动生成，注册后可以修改</p>
    </form>
  )
}
