/** Rows are found by their handles. */
export function handleOf(id: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-handle="${id}"]`)
}

export function middleOf(id: number): number {
  const row = handleOf(id)?.closest('tr, .ant-card')
  const { top, height } = row?.getBoundingClientRect() ?? { top: Number.POSITIVE_INFINITY, height: 0 }
  return top + height / 2
}

const edge = 72
const fastest = 14

/** Scrolls the page while the hand is near its upper or lower edge, and says where the hand is on what comes by. */
export function edgeScroll(onScroll: (y: number) => void) {
  let y = window.innerHeight / 2
  let frame = requestAnimationFrame(step)
  function step() {
    const near = y < edge ? y - edge : Math.max(0, y - (window.innerHeight - edge))
    if (near !== 0) {
      const before = window.scrollY
      window.scrollBy(0, (near / edge) * fastest)
      if (window.scrollY !== before) onScroll(y)
    }
    frame = requestAnimationFrame(step)
  }
  return {
    at: (clientY: number) => void (y = clientY),
    stop: () => cancelAnimationFrame(frame),
  }
}
