import { useEffect } from 'react'
import { ownScroll } from '#web/features/documents/reader/pages/viewport.ts'

/** Not every movement of a finger that rests on the screen is meant. */
const minDistance = 12
/** Above this line the title of the document is in view. */
const readingStart = 200

/** On phones the site's header hides while the reader scrolls down, and comes back when scrolling up (header.tsx). */
export function useHidingHeader(): void {
  useEffect(() => {
    const { documentElement: root } = document
    let last = window.scrollY
    const follow = () => {
      const { scrollY } = window
      const distance = scrollY - last
      if (ownScroll.isExpected) {
        ownScroll.isExpected = false
        last = scrollY
        return
      }
      if (scrollY > readingStart && Math.abs(distance) < minDistance) return
      last = scrollY
      root.toggleAttribute('data-header-hidden', scrollY > readingStart && distance > 0)
    }
    window.addEventListener('scroll', follow, { passive: true })
    return () => {
      window.removeEventListener('scroll', follow)
      root.removeAttribute('data-header-hidden')
    }
  }, [])
}
