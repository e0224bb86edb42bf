import {
  createContext,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { cx } from '#web/ui/class-names.ts'
import { useOpenHere } from '#web/ui/open-here.ts'

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
  const [open, turn] = useOpenHere()
  // Who clicks what has just opened under the pointer wants it open.
  const byPointer = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const turnSoon = (next: boolean, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      byPointer.current = next
      turn(next)
    }, ms)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    turn(false)
    box.current?.querySelector<HTMLElement>('[aria-controls]')?.focus()
  }
  const opener = useMemo(() => {
    const toggle = () => {
      clearTimeout(timer.current)
      turn(byPointer.current || !open)
      byPointer.current = false
    }
    return { id, open, toggle }
  }, [id, open, turn])
  return (
    <div
      ref={box}
      role="presentation"
      className="relative"
      onPointerEnter={(event) => event.pointerType === 'mouse' && turnSoon(true, delay)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && turnSoon(false, 160)}
      onBlur={(event) =>
        event.relatedTarget && !event.currentTarget.contains(event.relatedTarget) && turnSoon(false, 0)
      }
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
