import { useEffect, useState, type RefObject } from 'react'

/** Opens with the focus and with typing; closes with Escape, on leaving the form, and when something is sent. */
export function useOpenList(form: RefObject<HTMLFormElement | null>): [open: boolean, turn: (open: boolean) => void] {
  // It is fetched because somebody has come to the box.
  const [isOpen, turn] = useState(true)
  useEffect(() => {
    const box = form.current
    if (!box) return undefined
    const ends = new AbortController()
    const { signal } = ends
    const openFor = ({ target }: Event) => target instanceof HTMLInputElement && turn(true)
    const isOutside = (target: EventTarget | null) => !(target instanceof Node && box.contains(target))
    for (const kind of ['focusin', 'input', 'click']) box.addEventListener(kind, openFor, { signal })
    box.addEventListener('submit', () => turn(false), { signal })
    box.addEventListener('focusout', ({ relatedTarget }) => isOutside(relatedTarget) && turn(false), { signal })
    document.addEventListener('pointerdown', ({ target }) => isOutside(target) && turn(false), { signal })
    return () => ends.abort()
  }, [form])
  return [isOpen, turn]
}

/** Escape closes the list alone, not the drawer that it may stand in, which would hear of it first. */
export function useEscape(isShown: boolean, close: () => void): void {
  useEffect(() => {
    if (!isShown) return undefined
    const listener = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.stopPropagation()
      close()
    }
    window.addEventListener('keydown', listener, true)
    return () => window.removeEventListener('keydown', listener, true)
  })
}
