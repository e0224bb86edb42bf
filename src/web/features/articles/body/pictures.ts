export interface Picture {
  src: string
  alt: string
}

/** Pictures open when they are pressed, by pointer or key; those that lead elsewhere do that. */
export function openPictures(text: HTMLElement, open: (pictures: Picture[], first: number) => void): () => void {
  const images = [...text.querySelectorAll('img')].filter((image) => !image.closest('a'))
  for (const image of images) {
    image.tabIndex = 0
    image.role = 'button'
    image.ariaLabel = image.alt ? `查看大图：${image.alt}` : '查看大图'
  }
  const press = (event: Event) => {
    if (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ') return
    const place = images.findIndex((image) => image === event.target)
    if (place < 0) return
    event.preventDefault()
    open(
      images.map(({ currentSrc, src, alt }) => ({ src: currentSrc || src, alt })),
      place,
    )
  }
  text.addEventListener('click', press)
  text.addEventListener('keydown', press)
  return () => {
    text.removeEventListener('click', press)
    text.removeEventListener('keydown', press)
  }
}
