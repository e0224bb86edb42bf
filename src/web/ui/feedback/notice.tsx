import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'

type Tone = 'info' | 'warning' | 'danger'

/** A message inside the page. Errors are announced to screen readers when they appear. */
export function Notice({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  const { Icon, style } = tones[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'note'}
      className={cx('flex gap-2.5 rounded-md px-3.5 py-2.5 text-sm', style)}
    >
      <Icon size={16} className="mt-0.5 shrink-0" aria-hidden />
      <div className="min-w-0">{children}</div>
    </div>
  )
}

const tones = {
  info: { Icon: Info, style: 'bg-accent-soft text-accent' },
  warning: { Icon: TriangleAlert, style: 'bg-warning-soft text-warning' },
  danger: { Icon: CircleAlert, style: 'bg-danger-soft text-danger' },
}
