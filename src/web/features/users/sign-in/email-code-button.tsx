import { CodeScene } from '#shared/enums.ts'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { users } from '#shared/contract/users.ts'
import type { Captcha } from '#web/features/users/sign-in/captcha.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

const pauseSeconds = 60

interface EmailCodeButtonProps {
  email: string
  captcha: Captcha
  answer: string
  /** The captcha is used up, whether the mail was sent or not. */
  onUsed: () => void
}

export function EmailCodeButton({ email, captcha, answer, onUsed }: EmailCodeButtonProps) {
  const [secondsLeft, setSecondsLeft] = useState(0)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (secondsLeft === 0) return undefined
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1000)
    return () => clearTimeout(timer)
  }, [secondsLeft])
  const send = async () => {
    const problem = findProblem(email, captcha.needed, answer)
    if (problem) return toast(problem, 'danger')
    setBusy(true)
    try {
      await api(users.emailCode, { email, type: CodeScene.Register, captcha: answer, captcha_id: captcha.id })
      setSecondsLeft(pauseSeconds)
      toast(`邮件已在路上，几分钟内收不到请检查垃圾邮件${captcha.needed ? '；注册前请重新输入图形验证码' : ''}`)
    } catch (error) {
      toast(error instanceof Error ? error.message : '发送失败，请稍后重试', 'danger')
    } finally {
      setBusy(false)
      onUsed()
    }
  }
  return (
    <Button
      busy={busy}
      disabled={secondsLeft > 0}
      onClick={() => void send()}
      className="h-11 w-32 shrink-0 tabular-nums"
    >
      {secondsLeft > 0 ? `${secondsLeft} 秒后重发` : '发送验证码'}
    </Button>
  )
}

function findProblem(email: string, captchaNeeded: boolean, answer: string): string | undefined {
  if (!z.safeParse(users.emailCode.input.shape.email, email).success) return '请先输入正确的邮箱地址'
  return captchaNeeded && answer.trim() === '' ? '请先输入图形验证码' : undefined
}
