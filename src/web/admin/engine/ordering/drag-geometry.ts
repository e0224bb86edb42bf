/** Rows are found by their handles. */
export function findHandle(id: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-handle="${id}"]`)
}

export function getRowMiddle(id: number): number {
  const row = findHandle(id)?.closest('tr, [data-card]')
  const { top, height } = row?.getBoundingClientRect() ?? { top: Number.POSITIVE_INFINITY, height: 0 }
  return top + height / 2
}

const edgeSize = 72
const maxStep = 14

/** Scrolls the page while the pointer is near its upper or lower edge, and calls back after each step. */
export function startAutoScroll(onScroll: (y: number) => void) {
  let y = window.innerHeight / 2
  let frame = requestAnimationFrame(step)
  function step() {
    const distance = y < edgeSize ? y - edgeSize : Math.max(0, y - (window.innerHeight - edgeSize))
    if (distance !== 0) {
      const before = window.scrollY
      window.scrollBy(0, (distance / edgeSize) * maxStep)
      if (window.scrollY !== before) onScroll(y)
    }
    frame = requestAnimationFrame(step)
  }
  return {
    moveTo: (clientY: number) => void (y = clientY),
    stop: () => cancelAnimationFrame(frame),
  }
}
