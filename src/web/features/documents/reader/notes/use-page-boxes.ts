import { useEffect, useState, type RefObject } from 'react'

export interface RenderedPage {
  page: number
  /** Marks are drawn into it. */
  element: Element
}

/**
 * The pages that are rendered now: new objects whenever text may stand elsewhere, as pages appear, their text arrives, or
 * they are zoomed, rotated or cropped.
 */
export function usePageBoxes(column: RefObject<HTMLElement | null>): readonly RenderedPage[] {
  const [found, setFound] = useState<readonly RenderedPage[]>([])
  useEffect(() => {
    const pages = column.current
    if (!pages) return undefined
    let frame = 0
    const find = () => {
      frame = 0
      const elements = [...pages.querySelectorAll('[data-page]')]
      for (const element of elements) sizes.observe(element)
      setFound(elements.map((element) => ({ page: Number(element.getAttribute('data-page')), element })))
    }
    const schedule = () => void (frame ||= requestAnimationFrame(find))
    const sizes = new ResizeObserver(schedule)
    const changes = new MutationObserver((mutations) => {
      if (!mutations.every(isOwn)) schedule()
    })
    changes.observe(pages, { subtree: true, childList: true, attributes: true, attributeFilter: ['style'] })
    schedule()
    return () => {
      cancelAnimationFrame(frame)
      sizes.disconnect()
      changes.disconnect()
    }
  }, [column])
  return found
}

/** Drawing the marks changes the pages too. */
function isOwn({ target, addedNodes, removedNodes }: MutationRecord): boolean {
  if (target instanceof Element && target.closest('[data-notes]')) return true
  const nodes = [...addedNodes, ...removedNodes]
  return nodes.length > 0 && nodes.every((node) => node instanceof Element && node.hasAttribute('data-notes'))
}
