import { useEffect, useEffectEvent, useState } from 'react'
import { formatCountdown } from '#web/lib/countdown.ts'

/** The time that is left, to the second. */
export function Countdown({ until, onEnd }: { until: number; onEnd: () => void }) {
  const [now, setNow] = useState(() => Date.now())
  const end = useEffectEvent(onEnd)
  const left = until - now
  const isOver = left <= 0
  useEffect(() => {
    if (isOver) {
      end()
      return undefined
    }
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isOver])
  return (
    <span role="timer" className="font-medium whitespace-nowrap tabular-nums">
      {formatCountdown(left)}
    </span>
  )
}
