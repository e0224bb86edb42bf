import { useLayoutEffect, type RefObject } from 'react'

/** Keeps the current entry of a list in view, without scrolling the page itself. */
export function useFollow(list: RefObject<HTMLElement | null>, current: number): void {
  useLayoutEffect(() => {
    const box = list.current?.parentElement
    const item = list.current?.querySelector(`[data-entry="${current}"]`)
    if (!box || !item) return
    const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()]
    if (inner.top < outer.top || inner.bottom > outer.bottom)
      box.scrollBy({ top: inner.top - outer.top - (outer.height - inner.height) / 2 })
  }, [list, current])
}
