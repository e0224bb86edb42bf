import { cx } from '#web/ui/class-names.ts'

/** From 0 to 1; without a value, indeterminate. */
export function UploadProgressBar({ label, value }: { label: string; value?: number | undefined }) {
  return (
    <progress
      aria-label={label}
      {...(value === undefined ? {} : { value, max: 1 })}
      className={cx(
        'block h-1 w-full appearance-none overflow-hidden rounded-full border-0',
        '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent',
        value === undefined ? 'animate-breathe bg-accent' : 'bg-sunken',
      )}
    />
  )
}
