import {
  createContext,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { useLocation } from 'react-router'
import { cx } from '#web/ui/class-names.ts'

interface HoverCardProps {
  /** What one points at. It holds an `OpenButton`, for those who have no pointer to rest. */
  trigger: ReactNode
  delay?: number
  /** Where the card stands; below the left edge of the trigger unless told. */
  place?: string
  className?: string
  children: ReactNode
}

/** A card that opens when one rests on the trigger, or presses its button, and closes on leaving, Escape or going elsewhere. */
export function HoverCard({ trigger, delay = 0, place = 'top-full left-0 pt-2', className, children }: HoverCardProps) {
  const id = useId()
  const { key } = useLocation()
  const [openAt, setOpenAt] = useState<string>()
  const open = openAt === key
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const turn = (next: boolean, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpenAt(next ? key : undefined), ms)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    setOpenAt(undefined)
    box.current?.querySelector<HTMLElement>('[aria-controls]')?.focus()
  }
  const opener = useMemo(() => ({ id, open, toggle: () => setOpenAt(open ? undefined : key) }), [id, open, key])
  return (
    <div
      ref={box}
      role="presentation"
      className="relative"
      onPointerEnter={(event) => event.pointerType === 'mouse' && turn(true, delay)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && turn(false, 160)}
      onBlur={(event) => event.relatedTarget && !event.currentTarget.contains(event.relatedTarget) && turn(false, 0)}
      onKeyDown={onKeyDown}
    >
      <Opener value={opener}>{trigger}</Opener>
      <div id={id} hidden={!open} className={cx('absolute z-40', place)}>
        {open && (
          <div className={cx('animate-appear rounded-lg border border-line bg-surface shadow-soft', className)}>
            {children}
          </div>
        )}
      </div>
    </div>
  )
}

/** The button inside a trigger that opens the card by keyboard or touch. */
export function OpenButton(props: Omit<ComponentProps<'button'>, 'onClick' | 'type'>) {
  const { id, open, toggle } = useContext(Opener)
  return <button {...props} type="button" aria-expanded={open} aria-controls={id} onClick={toggle} />
}

const Opener = createContext({ id: '', open: false, toggle: () => {} })
