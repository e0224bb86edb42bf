import { useState, type ComponentProps } from 'react'
import { useRetry } from '#web/lib/browser/online.ts'

/** A picture that is requested again if it could not be loaded. */
export function RetriedImage({ alt = '', ...props }: Omit<ComponentProps<'img'>, 'onLoad' | 'onError'>) {
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState<number>()
  useRetry(failed, () => setAttempt((before) => before + 1))
  return (
    <img key={attempt} alt={alt} {...props} onLoad={() => setFailed(undefined)} onError={() => setFailed(attempt)} />
  )
}
