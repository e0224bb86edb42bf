import { useEffect, useState } from 'react'
import { cx } from '#web/ui/class-names.ts'

const throttleMs = 200
const simulatedMs = 5000
const hideMs = 500

type Phase = 'hidden' | 'running' | 'finished' | 'failed'

/** Page loads have no measurable progress, so it is simulated; short waits are not shown. */
export function ProgressBar({ active, failures }: { active: boolean; failures: number }) {
  const phase = usePhase(active, failures)
  if (phase === 'hidden') return null
  return (
    <div data-phase={phase} className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5">
      {/* For screen readers; the visible bar is below. */}
      <progress aria-label="页面加载" className="sr-only" />
      <div
        className={cx('h-full origin-left', phase === 'failed' ? 'bg-danger' : 'bg-accent')}
        style={
          phase === 'running' ? { animation: `progress ${simulatedMs}ms cubic-bezier(0.1, 0.7, 0.3, 1) forwards` } : {}
        }
      />
    </div>
  )
}

/** State updates are functions, so that a wait that ends while the bar appears still ends it. */
function usePhase(active: boolean, failures: number): Phase {
  const [phase, setPhase] = useState<Phase>('hidden')
  useEffect(() => {
    const step = active
      ? () => setPhase('running')
      : () => setPhase((before) => (before === 'running' ? 'finished' : before))
    const timer = setTimeout(step, active ? throttleMs : 0)
    return () => clearTimeout(timer)
  }, [active])
  useEffect(() => {
    const timer = failures > 0 ? setTimeout(() => setPhase('failed'), 0) : undefined
    return () => clearTimeout(timer)
  }, [failures])
  useEffect(() => {
    if (phase !== 'finished' && phase !== 'failed') return undefined
    const timer = setTimeout(() => setPhase('hidden'), hideMs)
    return () => clearTimeout(timer)
  }, [phase])
  return phase
}
