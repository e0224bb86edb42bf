import { useEffect, type RefObject } from 'react'

/** Closes a panel of the toolbar when something outside of it, and of the button that opens it, is pressed. */
export function useDismiss(panel: RefObject<HTMLElement | null>, onClose: () => void, isActive = true): void {
  useEffect(() => {
    if (!isActive) return undefined
    const close = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || panel.current?.contains(target) || target.closest('[data-panel-button]'))
        return
      onClose()
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [panel, onClose, isActive])
}
