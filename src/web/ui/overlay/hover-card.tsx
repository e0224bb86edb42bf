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
import { useOpenOnThisPage } from '#web/ui/overlay/open-on-this-page.ts'

interface HoverCardProps {
  /** Contains an `OpenButton`, for keyboard and touch. */
  trigger: ReactNode
  delay?: number
  /** Classes that position the card; by default below the left edge of the trigger. */
  position?: string
  className?: string
  children: ReactNode
}

/** A card that opens on hover or by its button, and closes on leaving, Escape and navigation. */
export function HoverCard({
  trigger,
  delay = 0,
  position = 'top-full left-0 pt-2',
  className,
  children,
}: HoverCardProps) {
  const id = useId()
  const [open, setOpen] = useOpenOnThisPage()
  // A click on a card that has just opened by hovering must not close it.
  const byPointer = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const setOpenLater = (next: boolean, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      byPointer.current = next
      setOpen(next)
    }, ms)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    setOpen(false)
    box.current?.querySelector<HTMLElement>('[aria-controls]')?.focus()
  }
  const opener = useMemo(() => {
    const toggle = () => {
      clearTimeout(timer.current)
      setOpen(byPointer.current || !open)
      byPointer.current = false
    }
    return { id, open, toggle }
  }, [id, open, setOpen])
  return (
    <div
      ref={box}
      role="presentation"
      className="relative"
      onPointerEnter={(event) => event.pointerType === 'mouse' && setOpenLater(true, delay)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setOpenLater(false, 160)}
      onBlur={(event) =>
        event.relatedTarget && !event.currentTarget.contains(event.relatedTarget) && setOpenLater(false, 0)
      }
      onKeyDown={onKeyDown}
    >
      <Opener value={opener}>{trigger}</Opener>
      <div id={id} hidden={!open} className={cx('absolute z-40', position)}>
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
