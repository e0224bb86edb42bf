import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { visibleArea } from '#web/features/documents/reader/pages/viewport.ts'
import { scrollToPosition, type TextView } from '#web/features/documents/reader/reflow/marks.ts'
import { screenEnd, swipeOf, tapOf, type LineBox, type Turn } from '#web/features/documents/reader/reflow/paging.ts'

interface ScreensOptions extends TextView {
  isOn: boolean
  /** Changes when text comes or goes, or is set anew. */
  content: unknown
}

/** A wheel sends many events for one turn. */
const wheelPauseMs = 350

/** The text by whole screens instead of scrolling: swipes, taps on the sides, the wheel and keys turn them. */
export function useScreens({ frame, column, full, isOn, content }: ScreensOptions) {
  /** The place from which a line is cut, in pixels of the window: it is covered, and the next screen begins with it. */
  const [cover, setCover] = useState<number>()
  const [hasBar, setHasBar] = useState(true)
  /** The places where the screens before this one began, in pixels of the text. */
  const before = useRef<number[]>([])

  const measure = useEffectEvent((_causes?: unknown[]) => {
    const text = column.current
    if (!isOn || !text) return setCover(undefined)
    const { top, bottom } = visibleArea(frame.current, text, full)
    const y = text.getBoundingClientRect().top + screenEnd(linesAt(text, bottom), { top, bottom })
    return setCover(bottom < text.offsetHeight ? y : undefined)
  })

  const turn = useEffectEvent((to: Turn) => {
    const text = column.current
    if (!text) return
    if (to === 'bar') return setHasBar(!hasBar)
    const { top, bottom } = visibleArea(frame.current, text, full)
    const screen = bottom - top
    if (to === 'next') {
      before.current.push(top)
      scrollToPosition({ frame, column, full }, screenEnd(linesAt(text, bottom), { top, bottom }))
      return
    }
    const last = before.current.pop()
    // After a jump, or when the text was set anew, the screens before are others.
    const isNear = last !== undefined && last < top && top - last <= screen + 1
    if (!isNear) before.current = []
    const start = Math.max(0, top - screen)
    const line = linesAt(text, start).find(({ bottom: end }) => end > start + 1)
    scrollToPosition({ frame, column, full }, isNear ? last : Math.min(line?.bottom ?? start, top - screen / 2))
  })

  useEffect(() => {
    const request = requestAnimationFrame(() => measure([isOn, content, hasBar, full]))
    return () => cancelAnimationFrame(request)
  }, [isOn, content, hasBar, full])
  useEffect(() => {
    const box = frame.current
    if (!isOn || !box) return undefined
    let request = 0
    const later = () => void (request ||= requestAnimationFrame(run))
    const run = () => {
      request = 0
      measure()
    }
    let finger: { x: number; y: number; at: number } | undefined
    const begin = ({ touches }: TouchEvent) => {
      const [touch] = touches
      finger = touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY, at: Date.now() } : undefined
    }
    const end = (event: TouchEvent) => {
      const [touch] = event.changedTouches
      if (!finger || !touch || isBusy(event.target)) return
      const to = swipeOf({ x: touch.clientX - finger.x, y: touch.clientY - finger.y, ms: Date.now() - finger.at })
      if (to) turn(to)
    }
    const tap = (event: MouseEvent) => {
      if (!event.defaultPrevented && !isBusy(event.target)) turn(tapOf(event.clientX / window.innerWidth))
    }
    let turnedAt = 0
    const wheel = (event: WheelEvent) => {
      if (event.ctrlKey || isBusy(event.target)) return
      event.preventDefault()
      if (Math.abs(event.deltaY) < 4 || event.timeStamp - turnedAt < wheelPauseMs) return
      turnedAt = event.timeStamp
      turn(event.deltaY > 0 ? 'next' : 'previous')
    }
    box.addEventListener('scroll', later, { passive: true })
    window.addEventListener('resize', later)
    box.addEventListener('touchstart', begin, { passive: true })
    box.addEventListener('touchend', end)
    box.addEventListener('click', tap)
    box.addEventListener('wheel', wheel, { passive: false })
    return () => {
      cancelAnimationFrame(request)
      box.removeEventListener('scroll', later)
      window.removeEventListener('resize', later)
      box.removeEventListener('touchstart', begin)
      box.removeEventListener('touchend', end)
      box.removeEventListener('click', tap)
      box.removeEventListener('wheel', wheel)
    }
  }, [frame, isOn])
  return { cover: isOn ? cover : undefined, hasBar: !isOn || hasBar, turn }
}

/** Controls, tables that scroll by themselves, and text that is being selected are no place to turn from. */
function isBusy(target: EventTarget | null): boolean {
  const isControl =
    target instanceof Element &&
    target.closest('a, button, input, label, summary, textarea, pre, section[tabindex="0"], [data-reader-bar]') !== null
  return isControl || window.getSelection()?.isCollapsed === false
}

/** The lines, pictures and rows of tables that `y` lies in, in pixels of the text. */
function linesAt(text: HTMLElement, y: number): LineBox[] {
  const { top } = text.getBoundingClientRect()
  const isThere = (box: DOMRect) => box.top - top <= y && box.bottom - top >= y
  const range = document.createRange()
  return [...text.querySelectorAll('p, li, h2, h3, h4, h5, blockquote, pre, td, img')].flatMap((block) => {
    const box = block.getBoundingClientRect()
    if (!isThere(box)) return []
    if (block instanceof HTMLImageElement) return [{ top: box.top - top, bottom: box.bottom - top }]
    range.selectNodeContents(block)
    return [...range.getClientRects()].map((line) => ({ top: line.top - top, bottom: line.bottom - top }))
  })
}
