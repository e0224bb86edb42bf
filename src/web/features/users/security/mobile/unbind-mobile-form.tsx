import { ownMobile } from '#shared/contract/code-sign-in.ts'
import type { Reply } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { maskMobile } from '#shared/mobile.ts'
import { OwnCodeButton } from '#web/features/users/security/mobile/own-code-button.tsx'
import { useCaptcha } from '#web/features/users/sign-in/captcha.ts'
import { CaptchaField } from '#web/features/users/sign-in/captcha-field.tsx'
import { SmsCodeField } from '#web/features/users/sign-in/codes/mobile-fields.tsx'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'

interface UnbindMobileFormProps {
  own: Reply<typeof ownMobile.get>
  onUnbound: () => void
  onCancel: () => void
}

export function UnbindMobileForm({ own, onUnbound, onCancel }: UnbindMobileFormProps) {
  const captcha = useCaptcha('code')
  const form = useForm({
    initial: { captcha: '', code: '' },
    schema: ownMobile.unbind.input,
    required: { code: '请输入短信验证码' },
    reasons: { 'users.codeWrong': 'code' },
    submit: async ({ code }) => {
      await api(ownMobile.unbind, { code })
      onUnbound()
    },
  })
  const renew = () => {
    form.change('captcha', '')
    void captcha.replace()
  }
  const button = (
    <OwnCodeButton
      type={CodeScene.ProveMobile}
      mobile={own.mobile}
      captcha={captcha}
      answer={form.values.captcha}
      onUsed={renew}
    />
  )
  return (
    <form {...form.frame} className="max-w-sm space-y-4">
      <Notice tone="warning">解绑后不能再用 {maskMobile(own.mobile)} 登录和找回密码。</Notice>
      <CaptchaField captcha={captcha} field={form.field('captcha')} />
      <SmsCodeField {...form.field('code')} beside={button} />
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <div className="flex gap-3">
        <Button type="submit" variant="danger" busy={form.busy}>
          确认解绑
        </Button>
        <Button onClick={onCancel} disabled={form.busy}>
          取消
        </Button>
      </div>
    </form>
  )
}
