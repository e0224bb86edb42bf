import { sms } from '#shared/contract/sms.ts'
import type { SignInScene } from '#shared/enums.ts'
import { mobilePattern } from '#shared/mobile.ts'
import type { Captcha } from '#web/features/users/sign-in/captcha.ts'
import { SendCodeButton } from '#web/features/users/sign-in/codes/send-code-button.tsx'
import { api } from '#web/lib/api.ts'

interface SmsCodeButtonProps {
  mobile: string
  scene: SignInScene
  captcha: Captcha
  answer: string
  onUsed: () => void
}

export function SmsCodeButton({ mobile, scene, captcha, answer, onUsed }: SmsCodeButtonProps) {
  const send = async () => {
    await api(sms.send, { mobile, type: scene, captcha: answer, captcha_id: captcha.id })
    return smsSent
  }
  return (
    <SendCodeButton send={send} onUsed={onUsed} findProblem={() => findSmsProblem(mobile, captcha.needed, answer)} />
  )
}

export const smsSent = '短信已发出，请留意查收'

export function findSmsProblem(mobile: string, captchaNeeded: boolean, answer: string): string | undefined {
  if (!mobilePattern.test(mobile)) return '请先输入正确的手机号码'
  return captchaNeeded && answer.trim() === '' ? '请先输入图形验证码' : undefined
}
