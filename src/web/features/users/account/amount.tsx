import { cx } from '#web/ui/class-names.ts'

/** A change of credits, with its sign. */
export function Amount({ amount, unit = '' }: { amount: number; unit?: string }) {
  return (
    <span className={cx('font-medium whitespace-nowrap tabular-nums', amount > 0 ? 'text-success' : 'text-danger')}>
      {amount > 0 ? '+' : '−'}
      {Math.abs(amount)}
      {unit && ` ${unit}`}
    </span>
  )
}
