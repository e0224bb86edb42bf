/** Tables wider than the text can be scrolled by keyboard too. */
export function letTablesScroll(text: HTMLElement): () => void {
  const boxes = [...text.querySelectorAll<HTMLElement>('.table-box')]
  const update = () => {
    for (const box of boxes) {
      const isWide = box.scrollWidth > box.clientWidth
      if (isWide) {
        box.tabIndex = 0
        box.role = 'region'
        box.ariaLabel = '表格，可左右滚动'
      } else for (const name of ['tabindex', 'role', 'aria-label']) box.removeAttribute(name)
    }
  }
  update()
  const observer = new ResizeObserver(update)
  for (const box of boxes) observer.observe(box)
  return () => observer.disconnect()
}
