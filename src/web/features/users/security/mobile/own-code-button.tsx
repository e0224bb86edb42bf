import { ownMobile } from '#shared/contract/code-sign-in.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { CodeScene } from '#shared/enums.ts'
import type { Captcha } from '#web/features/users/sign-in/captcha.ts'
import { SendCodeButton } from '#web/features/users/sign-in/codes/send-code-button.tsx'
import { findSmsProblem, smsSent } from '#web/features/users/sign-in/codes/sms-code-button.tsx'
import { api } from '#web/lib/api.ts'

interface OwnCodeButtonProps {
  type: CallInput<typeof ownMobile.sendCode>['type']
  mobile: string
  captcha: Captcha
  answer: string
  onUsed: () => void
}

/** Sends a code to the number that is to be bound, or to the one that is. */
export function OwnCodeButton({ type, mobile, captcha, answer, onUsed }: OwnCodeButtonProps) {
  const send = async () => {
    const to = type === CodeScene.BindMobile ? mobile : ''
    await api(ownMobile.sendCode, { type, mobile: to, captcha: answer, captcha_id: captcha.id })
    return smsSent
  }
  return (
    <SendCodeButton send={send} onUsed={onUsed} findProblem={() => findSmsProblem(mobile, captcha.needed, answer)} />
  )
}
