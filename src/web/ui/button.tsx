import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from '#web/ui/class-names.ts'
import { Spinner } from '#web/ui/feedback/spinner.tsx'

type Variant = 'primary' | 'plain' | 'quiet' | 'danger'
type Size = 'md' | 'lg' | 'sm'

interface Style {
  variant?: Variant
  size?: Size
  wide?: boolean
}

interface ButtonProps extends ComponentProps<'button'>, Style {
  /** Shows a spinner and ignores clicks. */
  busy?: boolean
}

export function Button({
  variant,
  size,
  wide,
  busy = false,
  className,
  children,
  onClick,
  type = 'button',
  'aria-disabled': disabled = false,
  ...rest
}: ButtonProps) {
  const isInactive = busy || disabled === true || disabled === 'true'
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={isInactive || undefined}
      onClick={isInactive ? (event) => event.preventDefault() : onClick}
      className={cx(buttonClass({ variant, size, wide }), className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  to,
  variant,
  size,
  wide,
  onClick,
  children,
}: Style & { to: string; onClick?: (event: MouseEvent) => void; children: ReactNode }) {
  return (
    <Link to={to} onClick={onClick} className={buttonClass({ variant, size, wide })}>
      {children}
    </Link>
  )
}

function buttonClass({ variant = 'plain', size = 'md', wide }: { [K in keyof Style]?: Style[K] | undefined }): string {
  return cx(
    'inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors select-none',
    'disabled:opacity-50 disabled:cursor-not-allowed aria-busy:cursor-progress aria-busy:opacity-80',
    variantClasses[variant],
    sizeClasses[size],
    wide && 'w-full',
  )
}

const variantClasses: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent not-disabled:hover:bg-accent-hover',
  plain: 'border border-line bg-surface text-ink not-disabled:hover:border-edge',
  quiet: 'text-muted not-disabled:hover:bg-sunken not-disabled:hover:text-ink',
  danger: 'bg-danger text-on-danger not-disabled:hover:opacity-90',
}

const sizeClasses: Record<Size, string> = { sm: 'h-8 px-3 text-sm', md: 'h-10 px-4 text-sm', lg: 'h-12 px-6 text-base' }
