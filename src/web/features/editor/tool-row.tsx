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

/** Which tool of the row the Tab key reaches; the arrow keys lead to the others. */
const Reached = createContext({ name: '', reach: (_name: string) => {} })

interface ToolRowProps {
  label: string
  /** The tool that is reached first. */
  first: string
  onEscape: () => void
  className?: string
  children: ReactNode
}

/** Tools side by side, as one stop of the Tab key. Where they do not fit they scroll within the row. */
export function ToolRow({ label, first, onEscape, className, children }: ToolRowProps) {
  const [name, reach] = useState(first)
  const reached = useMemo(() => ({ name, reach }), [name])
  return (
    <div
      role="toolbar"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return moveAlong(event)
        event.stopPropagation()
        return onEscape()
      }}
      className={cx('flex items-center outline-none', className)}
    >
      <Reached value={reached}>{children}</Reached>
    </div>
  )
}

interface ToolProps extends Omit<ComponentProps<'button'>, 'name' | 'onMouseDown' | 'type'> {
  name: string
  label: string
  /** A switch that is on; nothing for what is no switch. */
  pressed?: boolean
}

export function Tool({ name, label, pressed, disabled = false, onClick, className, ...rest }: ToolProps) {
  return (
    <button
      {...rest}
      {...useStop(name)}
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      // Not `disabled`: the Tab key would then pass by a row that stops at this one.
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      // The text keeps its cursor while a tool is used.
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
      {...useStop(name)}
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

function useStop(name: string) {
  const reached = useContext(Reached)
  return { 'data-tool': name, tabIndex: reached.name === name ? 0 : -1, onFocus: () => reached.reach(name) }
}

function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (!step) return
  const tools = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tool]')]
  const at = tools.findIndex((tool) => tool === document.activeElement)
  if (at < 0) return
  event.preventDefault()
  const next = tools.at(step(at, tools.length))
  next?.focus()
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at) => at - 1,
  Home: () => 0,
  End: () => -1,
}
