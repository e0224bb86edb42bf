export interface Picture {
  src: string
  alt: string
}

/** Pictures open the viewer by click or key, except those inside links. */
export function openPictures(text: HTMLElement, open: (pictures: Picture[], first: number) => void): () => void {
  const images = [...text.querySelectorAll('img')].filter((image) => !image.closest('a'))
  for (const image of images) {
    image.tabIndex = 0
    image.role = 'button'
    image.ariaLabel = image.alt ? `查看大图：${image.alt}` : '查看大图'
  }
  const press = (event: Event) => {
    if (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ') return
    const index = images.findIndex((image) => image === event.target)
    if (index < 0) return
    event.preventDefault()
    open(
      images.map(({ currentSrc, src, alt }) => ({ src: currentSrc || src, alt })),
      index,
    )
  }
  text.addEventListener('click', press)
  text.addEventListener('keydown', press)
  return () => {
    text.removeEventListener('click', press)
    text.removeEventListener('keydown', press)
  }
}
