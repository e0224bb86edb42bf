import { useEffect, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

const pauseSeconds = 60

interface SendCodeButtonProps {
  /** What is missing; nothing is sent then. */
  findProblem: () => string | undefined
  /** Resolves to what the visitor is told. */
  send: () => Promise<string>
  /** The captcha is used up, whether the message was sent or not. */
  onUsed: () => void
}

/** Sends a code, and then waits for a minute as the server does. */
export function SendCodeButton({ findProblem, send, onUsed }: SendCodeButtonProps) {
  const [secondsLeft, setSecondsLeft] = useState(0)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (secondsLeft === 0) return undefined
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1000)
    return () => clearTimeout(timer)
  }, [secondsLeft])
  const start = async () => {
    const problem = findProblem()
    if (problem) return toast(problem, 'danger')
    setBusy(true)
    try {
      toast(await send())
      setSecondsLeft(pauseSeconds)
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
      onClick={() => void start()}
      className="h-11 w-32 shrink-0 tabular-nums"
    >
      {secondsLeft > 0 ? `${secondsLeft} 秒后重发` : '发送验证码'}
    </Button>
  )
}
