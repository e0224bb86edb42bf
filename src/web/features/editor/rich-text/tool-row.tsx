import {
  createContext,
  useContext,
  useMemo,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { cx } from '#web/ui/class-names.ts'

/** Roving tab index: Tab reaches one tool of the row, the arrow keys the others. */
const TabStop = createContext({ name: '', setName: (_name: string) => {} })

interface ToolRowProps {
  label: string
  /** The initial tab stop. */
  first: string
  onEscape: () => void
  className?: string
  children: ReactNode
}

/** A toolbar that is one tab stop. It scrolls where the tools do not fit. */
export function ToolRow({ label, first, onEscape, className, children }: ToolRowProps) {
  const [name, setName] = useState(first)
  const tabStop = useMemo(() => ({ name, setName }), [name])
  return (
    <div
      role="toolbar"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return moveFocus(event)
        event.stopPropagation()
        return onEscape()
      }}
      className={cx('flex items-center outline-none', className)}
    >
      <TabStop value={tabStop}>{children}</TabStop>
    </div>
  )
}

interface ToolProps extends Omit<ComponentProps<'button'>, 'name' | 'onMouseDown' | 'type'> {
  name: string
  label: string
  /** Only for toggles. */
  pressed?: boolean
}

export function Tool({ name, label, pressed, disabled = false, onClick, className, ...rest }: ToolProps) {
  return (
    <button
      {...rest}
      {...useTabStop(name)}
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      // Not `disabled`: as the tab stop it must stay focusable.
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      // The text keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      className={cx(
        'inline-flex h-10 min-w-10 shrink-0 items-center justify-center rounded-md px-1 text-ink transition-colors md:h-8 md:min-w-[30px]',
        'not-aria-disabled:hover:bg-sunken aria-disabled:cursor-default aria-disabled:opacity-35 aria-pressed:bg-accent-soft aria-pressed:text-accent',
        className,
      )}
    />
  )
}

export function ToolSelect({
  name,
  label,
  className,
  ...rest
}: ComponentProps<'select'> & { name: string; label: string }) {
  return (
    <select
      {...rest}
      {...useTabStop(name)}
      aria-label={label}
      title={label}
      className={cx(
        'h-10 shrink-0 cursor-pointer rounded-md bg-transparent px-1.5 text-sm text-ink hover:bg-sunken md:h-8 [&>option]:bg-surface',
        className,
      )}
    />
  )
}

export function ToolGap() {
  return <span aria-hidden className="mx-0.5 h-5 w-px shrink-0 bg-line" />
}

function useTabStop(name: string) {
  const tabStop = useContext(TabStop)
  return { 'data-tool': name, tabIndex: tabStop.name === name ? 0 : -1, onFocus: () => tabStop.setName(name) }
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (!step) return
  const tools = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tool]')]
  const index = tools.findIndex((tool) => tool === document.activeElement)
  if (index < 0) return
  event.preventDefault()
  const next = tools.at(step(index, tools.length))
  next?.focus()
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index) => index - 1,
  Home: () => 0,
  End: () => -1,
}
