import { useRef } from 'react'

/** Scrolls the list to the current entry once, without scrolling the page itself. */
export function useInitialScroll() {
  const isDone = useRef(false)
  return (item: HTMLElement | null) => {
    const box = item?.closest('.overflow-y-auto')
    if (!item || !box || isDone.current) return
    isDone.current = true
    const distance = item.getBoundingClientRect().top - box.getBoundingClientRect().top
    box.scrollTop += distance - box.clientHeight / 2
  }
}
