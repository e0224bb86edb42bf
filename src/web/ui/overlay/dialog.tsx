import { X } from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { useRef, type ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** Another width, if the content needs it. */
  className?: string
  children?: ReactNode
}

/** A question or a small form above the page, 30 % of the window wide where that is enough. */
export function Dialog({ open, onOpenChange, title, description, className, children }: DialogProps) {
  const focusHandlers = useFocusReturn()
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 bg-scrim" />
        <Primitive.Content
          {...focusHandlers}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cx(
            'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] max-w-[calc(100vw-2rem)] -translate-1/2 animate-appear overflow-y-auto rounded-lg bg-surface p-6 shadow-soft',
            className ?? 'w-[max(30vw,360px)]',
          )}
        >
          <Primitive.Title className="text-lg">{title}</Primitive.Title>
          {description && (
            <Primitive.Description className="mt-2 text-sm text-muted">{description}</Primitive.Description>
          )}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** A sheet from the left edge. */
export function Drawer({
  open,
  onOpenChange,
  title,
  className,
  onClosed,
  children,
}: Omit<DialogProps, 'description'> & { className?: string; onClosed?: () => void }) {
  const focusHandlers = useFocusReturn(onClosed)
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 bg-scrim" />
        <Primitive.Content
          aria-describedby={undefined}
          {...focusHandlers}
          className={cx(
            'fixed inset-y-0 left-0 z-50 flex animate-slide-in flex-col overflow-y-auto bg-surface shadow-soft',
            className,
          )}
        >
          <div className="flex items-center justify-between py-2 pr-2 pl-4">
            <Primitive.Title className="text-sm font-medium text-muted">{title}</Primitive.Title>
            <Primitive.Close
              aria-label="关闭"
              className="inline-flex size-10 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
            >
              <X size={20} aria-hidden />
            </Primitive.Close>
          </div>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** Returns the focus to the opener, unless closing has moved it elsewhere. */
function useFocusReturn(onClosed?: () => void) {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      onClosed?.()
      const isLost = document.activeElement === null || document.activeElement === document.body
      if (isLost && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    },
  }
}
