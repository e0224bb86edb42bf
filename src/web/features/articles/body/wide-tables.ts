/** Tables that are wider than their place can be scrolled by keyboard too. */
export function letTablesScroll(text: HTMLElement): () => void {
  const boxes = [...text.querySelectorAll<HTMLElement>('.table-box')]
  const look = () => {
    for (const box of boxes) {
      const isWide = box.scrollWidth > box.clientWidth
      if (isWide) {
        box.tabIndex = 0
        box.role = 'region'
        box.ariaLabel = '表格，可左右滚动'
      } else for (const name of ['tabindex', 'role', 'aria-label']) box.removeAttribute(name)
    }
  }
  look()
  const watch = new ResizeObserver(look)
  for (const box of boxes) watch.observe(box)
  return () => watch.disconnect()
}
