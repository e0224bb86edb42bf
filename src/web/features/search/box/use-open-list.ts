import { useEffect, useState, type RefObject } from 'react'

/** Opens on focus and typing; closes on leaving the form and on submit. */
export function useOpenList(
  form: RefObject<HTMLFormElement | null>,
): [isOpen: boolean, setIsOpen: (isOpen: boolean) => void] {
  // The list is loaded when the input gets the focus.
  const [isOpen, setIsOpen] = useState(true)
  useEffect(() => {
    const box = form.current
    if (!box) return undefined
    const listeners = new AbortController()
    const { signal } = listeners
    const openFor = ({ target }: Event) => target instanceof HTMLInputElement && setIsOpen(true)
    const isOutside = (target: EventTarget | null) => !(target instanceof Node && box.contains(target))
    for (const kind of ['focusin', 'input', 'click']) box.addEventListener(kind, openFor, { signal })
    box.addEventListener('submit', () => setIsOpen(false), { signal })
    box.addEventListener('focusout', ({ relatedTarget }) => isOutside(relatedTarget) && setIsOpen(false), { signal })
    document.addEventListener('pointerdown', ({ target }) => isOutside(target) && setIsOpen(false), { signal })
    return () => listeners.abort()
  }, [form])
  return [isOpen, setIsOpen]
}

/** Escape closes the list, but not the drawer around it, whose listener would run first. */
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
