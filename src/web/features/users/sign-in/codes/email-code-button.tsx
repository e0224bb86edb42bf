import * as z from 'zod/mini'
import { users } from '#shared/contract/users.ts'
import { CodeScene, type SignInScene } from '#shared/enums.ts'
import type { Captcha } from '#web/features/users/sign-in/captcha.ts'
import { SendCodeButton } from '#web/features/users/sign-in/codes/send-code-button.tsx'
import { api } from '#web/lib/api.ts'

interface EmailCodeButtonProps {
  email: string
  scene: SignInScene
  captcha: Captcha
  answer: string
  onUsed: () => void
}

export function EmailCodeButton({ email, scene, captcha, answer, onUsed }: EmailCodeButtonProps) {
  const send = async () => {
    await api(users.emailCode, { email, type: scene, captcha: answer, captcha_id: captcha.id })
    const isAskedAgain = scene === CodeScene.Register && captcha.needed
    const sent = scene === CodeScene.Register ? '邮件已在路上' : '如果这个邮箱可以登录，邮件已在路上'
    return `${sent}，几分钟内收不到请检查垃圾邮件${isAskedAgain ? '；注册前请重新输入图形验证码' : ''}`
  }
  const findProblem = () => {
    if (!z.safeParse(users.emailCode.input.shape.email, email).success) return '请先输入正确的邮箱地址'
    return captcha.needed && answer.trim() === '' ? '请先输入图形验证码' : undefined
  }
  return <SendCodeButton {...{ send, findProblem, onUsed }} />
}
