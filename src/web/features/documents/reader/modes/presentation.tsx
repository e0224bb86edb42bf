import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import type { ModeProps } from '#web/features/documents/reader/modes/mode-overlay.tsx'
import { pagePicture } from '#web/features/documents/reader/pages/addresses.ts'
import { enterFullScreen, exitFullScreen, onFullScreenChange } from '#web/lib/browser/full-screen.ts'
import { cx } from '#web/ui/class-names.ts'
import { RetriedImage } from '#web/ui/retried-image.tsx'

/** Shorter movements of a finger are taps. */
const minSwipe = 40

/** One page at a time on a black screen, for an audience. */
export function Presentation({ hash, title, preview, current, onGo, onClose }: ModeProps) {
  const screen = useRef<HTMLDivElement>(null)
  const [page, setPage] = useState(current)
  const step = (by: number) => setPage((before) => Math.min(preview, Math.max(1, before + by)))
  const close = useEffectEvent(() => {
    onClose()
    onGo(page)
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const command = commands[event.key]
    if (command === undefined && event.key !== 'Escape') return
    // The space bar would press the focused button too.
    event.preventDefault()
    event.stopPropagation()
    if (command === undefined) close()
    else if (command === 'first' || command === 'last') setPage(command === 'first' ? 1 : preview)
    else step(command)
  })
  useEffect(() => {
    const opener = document.activeElement
    enterFullScreen(document.documentElement)
    const listener = (event: KeyboardEvent) => onKey(event)
    const unsubscribe = onFullScreenChange((isFull) => !isFull && close())
    document.addEventListener('keydown', listener, true)
    return () => {
      unsubscribe()
      document.removeEventListener('keydown', listener, true)
      exitFullScreen()
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])
  const swipe = useRef<{ x: number; moved: boolean }>(undefined)
  const near = [page - 1, page, page + 1].filter((number) => number >= 1 && number <= preview)
  return (
    <Primitive.Root open>
      <Primitive.Portal>
        <Primitive.Content
          ref={screen}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            screen.current?.focus()
          }}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onPointerDown={({ clientX }) => (swipe.current = { x: clientX, moved: false })}
          onPointerUp={({ clientX }) => {
            const distance = clientX - (swipe.current?.x ?? clientX)
            if (Math.abs(distance) < minSwipe) return
            swipe.current = { x: clientX, moved: true }
            step(distance < 0 ? 1 : -1)
          }}
          onClick={() => !swipe.current?.moved && step(1)}
          className="group fixed inset-0 z-50 touch-none bg-[#000] outline-none select-none"
        >
          <Primitive.Title className="sr-only">{`演示：${title}`}</Primitive.Title>
          {/* The pages before and after are loaded ahead. */}
          {near.map((number) => (
            <RetriedImage
              key={number}
              src={pagePicture(hash, number)}
              alt={number === page ? `${title} 第 ${number} 页` : ''}
              draggable={false}
              className={cx('absolute inset-0 size-full object-contain', number !== page && 'invisible')}
            />
          ))}
          <div className="absolute inset-x-0 bottom-4 flex justify-center opacity-0 transition-opacity group-hover:opacity-100 group-has-[button:focus-visible]:opacity-100 [@media(hover:none)]:opacity-100">
            <div className="flex items-center rounded-full bg-[rgb(30_30_30/0.85)] px-1 text-sm text-[#fff] tabular-nums">
              <ScreenButton label="上一张" onClick={() => step(-1)} isDisabled={page <= 1}>
                <ChevronLeft size={20} aria-hidden />
              </ScreenButton>
              <span aria-live="polite" className="px-1 whitespace-nowrap">
                {page} / {preview}
              </span>
              <ScreenButton label="下一张" onClick={() => step(1)} isDisabled={page >= preview}>
                <ChevronRight size={20} aria-hidden />
              </ScreenButton>
              <ScreenButton label="结束演示" onClick={close}>
                <X size={18} aria-hidden />
              </ScreenButton>
            </div>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

const commands: Partial<Record<string, number | 'first' | 'last'>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  PageDown: 1,
  ' ': 1,
  Enter: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  PageUp: -1,
  Backspace: -1,
  Home: 'first',
  End: 'last',
}

interface ScreenButtonProps {
  label: string
  isDisabled?: boolean
  onClick: () => void
  children: ReactNode
}

function ScreenButton({ label, isDisabled = false, onClick, children }: ScreenButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={(event) => {
        // A press on the screen shows the next page.
        event.stopPropagation()
        onClick()
      }}
      className="inline-flex size-10 items-center justify-center rounded-full hover:bg-[rgb(255_255_255/0.15)] disabled:opacity-40"
    >
      {children}
    </button>
  )
}
