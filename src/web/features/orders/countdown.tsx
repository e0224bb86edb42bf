import { useEffect, useEffectEvent, useState } from 'react'
import { formatCountdown, serverNow, type ServerTime } from '#web/lib/countdown.ts'

interface CountdownProps {
  until: number
  time: ServerTime
  onEnd: () => void
}

/** The time that is left, to the second. */
export function Countdown({ until, time, onEnd }: CountdownProps) {
  const [deviceNow, setDeviceNow] = useState(() => Date.now())
  const end = useEffectEvent(onEnd)
  const left = until - serverNow(time, deviceNow)
  const isOver = left <= 0
  useEffect(() => {
    if (isOver) {
      end()
      return undefined
    }
    const timer = setInterval(() => setDeviceNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isOver])
  return (
    <span role="timer" className="font-medium whitespace-nowrap tabular-nums">
      {formatCountdown(left)}
    </span>
  )
}
