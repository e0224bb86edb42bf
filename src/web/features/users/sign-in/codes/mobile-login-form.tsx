import { Link, useNavigate, useSearchParams } from 'react-router'
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

export function MobileLoginForm() {
  const navigate = useNavigate()
  const canRegister = useSite().settings.security.enable_register
  const [query] = useSearchParams()
  const captcha = useCaptcha('code')
  const form = useForm({
    initial: { mobile: '', captcha: '', code: '' },
    schema: codeSignIn.loginByMobile.input,
    required: { mobile: '请输入手机号', code: '请输入短信验证码' },
    reasons: { 'users.codeWrong': 'code', 'users.registerClosed': 'mobile' },
    submit: async ({ mobile, code }) => {
      await completeSignIn(await api(codeSignIn.loginByMobile, { mobile, code }))
      await navigate(safeRedirect(query.get('redirect')), { replace: true })
    },
  })
  const renew = () => {
    form.change('captcha', '')
    void captcha.replace()
  }
  return (
    <form {...form.frame} className="space-y-4">
      <MobileFields scene={CodeScene.Login} captcha={captcha} field={form.field} onCaptchaUsed={renew} />
      {canRegister && <p className="text-sm text-muted">还没有账号的手机号，登录时会自动注册</p>}
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button type="submit" variant="primary" size="lg" wide busy={form.busy} disabled={!form.ready}>
        登录
      </Button>
      <p className="text-center text-sm text-muted">
        号码换了？请用密码登录，或
        <Link to="/findpassword" className="text-accent hover:underline">
          用邮箱找回密码
        </Link>
      </p>
    </form>
  )
}
