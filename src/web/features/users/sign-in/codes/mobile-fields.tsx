import type { ReactNode } from 'react'
import type { SignInScene } from '#shared/enums.ts'
import type { Captcha } from '#web/features/users/sign-in/captcha.ts'
import { CaptchaField } from '#web/features/users/sign-in/captcha-field.tsx'
import { SmsCodeButton } from '#web/features/users/sign-in/codes/sms-code-button.tsx'
import { TextField } from '#web/ui/forms/input.tsx'

interface FieldState {
  name: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
  onBlur: () => void
}

interface MobileFieldsProps {
  scene: SignInScene
  captcha: Captcha
  field: (name: 'mobile' | 'captcha' | 'code') => FieldState
  onCaptchaUsed: () => void
}

/** A number, the captcha that comes before each message, and the code that arrives. */
export function MobileFields({ scene, captcha, field, onCaptchaUsed }: MobileFieldsProps) {
  const mobile = field('mobile')
  const answer = field('captcha')
  const button = (
    <SmsCodeButton mobile={mobile.value} scene={scene} captcha={captcha} answer={answer.value} onUsed={onCaptchaUsed} />
  )
  return (
    <>
      <MobileField {...mobile} />
      <CaptchaField captcha={captcha} field={answer} />
      <SmsCodeField {...field('code')} beside={button} />
    </>
  )
}

export function MobileField({ label = '手机号', ...field }: FieldState & { label?: string }) {
  return (
    <TextField label={label} {...field} type="tel" inputMode="numeric" autoComplete="tel-national" maxLength={11} />
  )
}

export function SmsCodeField({
  label = '短信验证码',
  beside,
  ...field
}: FieldState & { label?: string; beside: ReactNode }) {
  return (
    <TextField
      label={label}
      {...field}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={16}
      beside={beside}
    />
  )
}
