import { useEffect, useState, type RefObject } from 'react'

/** Becomes true when the element is about a screen away. */
export function useNear(target: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || !target.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true),
      { rootMargin: '600px 0px' },
    )
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [isNear, target])
  return isNear
}
