import { useState } from 'react'
import { ownMobile } from '#shared/contract/code-sign-in.ts'
import type { Reply } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import { ApiError } from '#shared/errors.ts'
import { maskMobile } from '#shared/mobile.ts'
import { OwnCodeButton } from '#web/features/users/security/mobile/own-code-button.tsx'
import { useCaptcha } from '#web/features/users/sign-in/captcha.ts'
import { CaptchaField } from '#web/features/users/sign-in/captcha-field.tsx'
import { MobileField, SmsCodeField } from '#web/features/users/sign-in/codes/mobile-fields.tsx'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'

interface BindMobileFormProps {
  own: Reply<typeof ownMobile.get>
  onBound: () => void
  onCancel: () => void
}

/** A first number, with the password; or another one, with codes to both. */
export function BindMobileForm({ own, onBound, onCancel }: BindMobileFormProps) {
  const isChange = own.mobile !== ''
  const needsPassword = !isChange && own.has_password
  const captcha = useCaptcha('code')
  // Another account has the number: the member is asked before it is moved.
  const [isElsewhere, setElsewhere] = useState(false)
  const form = useForm({
    initial: { mobile: own.suggested, captcha: '', code: '', old_code: '', password: '' },
    schema: ownMobile.bind.input,
    required: {
      mobile: '请输入手机号',
      code: '请输入短信验证码',
      ...(isChange && { old_code: '请输入原手机号收到的验证码' }),
      ...(needsPassword && { password: '请输入登录密码' }),
    },
    reasons: {
      'users.codeWrong': 'code',
      'users.oldMobileCodeWrong': 'old_code',
      'users.mobileSame': 'mobile',
      'users.ownPasswordWrong': 'password',
    },
    submit: async ({ mobile, code, old_code, password }) => {
      await api(ownMobile.bind, { mobile, code, old_code, password, move: isElsewhere })
      onBound()
    },
    failed: (error) => setElsewhere(error instanceof ApiError && error.reason === 'users.mobileBound'),
  })
  const sending = {
    captcha,
    answer: form.values.captcha,
    onUsed: () => {
      form.change('captcha', '')
      void captcha.replace()
    },
  }
  return (
    <form {...form.frame} className="max-w-sm space-y-4">
      <CaptchaField captcha={captcha} field={form.field('captcha')} />
      {isChange && (
        <SmsCodeField
          label={`原手机号 ${maskMobile(own.mobile)} 的验证码`}
          {...form.field('old_code')}
          beside={<OwnCodeButton type={CodeScene.ProveMobile} mobile={own.mobile} {...sending} />}
        />
      )}
      <MobileField label={isChange ? '新手机号' : '手机号'} {...form.field('mobile')} />
      <SmsCodeField
        label={isChange ? '新手机号的验证码' : '短信验证码'}
        {...form.field('code')}
        beside={<OwnCodeButton type={CodeScene.BindMobile} mobile={form.values.mobile} {...sending} />}
      />
      {needsPassword && (
        <PasswordField
          label="登录密码"
          {...form.field('password')}
          autoComplete="current-password"
          maxLength={128}
          help="确认是您本人"
        />
      )}
      {form.problem && <Notice tone={isElsewhere ? 'warning' : 'danger'}>{form.problem}</Notice>}
      <div className="flex gap-3">
        <Button type="submit" variant="primary" busy={form.busy}>
          {isElsewhere ? '改绑到现在的账号' : isChange ? '更换手机号' : '绑定手机号'}
        </Button>
        <Button onClick={onCancel} disabled={form.busy}>
          取消
        </Button>
      </div>
    </form>
  )
}
