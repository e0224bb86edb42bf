import { useEffect, useLayoutEffect, type RefObject } from 'react'

/** Closes a panel of the toolbar by Escape, and when something outside of it and of the button that opens it is pressed. */
export function useDismiss(panel: RefObject<HTMLElement | null>, onClose: () => void, isActive = true): void {
  useEffect(() => {
    if (!isActive) return undefined
    const close = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || panel.current?.contains(target) || target.closest('[data-panel-button]'))
        return
      onClose()
    }
    // Also in its inputs, where the reader's keys do not work.
    const onKey = (event: KeyboardEvent) => {
      // It belongs to an input method while that composes, and in a form to the form.
      const isInForm = event.target instanceof Element && event.target.closest('form') !== null
      if (event.key !== 'Escape' || event.isComposing || isInForm) return
      event.stopPropagation()
      onClose()
    }
    const inside = panel.current
    document.addEventListener('pointerdown', close)
    inside?.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', close)
      inside?.removeEventListener('keydown', onKey)
    }
  }, [panel, onClose, isActive])
}

/**
 * A panel has the focus when it opens; when it closes with the focus in it, the button that opened it gets it back, or
 * the reader if a key opened it or the button is gone.
 */
export function usePanelFocus(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const [inside, opener] = [panel.current, document.activeElement]
    inside?.focus({ preventScroll: true })
    const reader = inside?.parentElement?.closest<HTMLElement>('section')
    return () => {
      if (!inside?.contains(document.activeElement)) return
      const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
      const target = isThere ? opener : reader
      target?.focus({ preventScroll: true })
    }
  }, [panel])
}
