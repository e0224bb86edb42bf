import { useEffect, useEffectEvent, useState } from 'react'
import type { Heading } from '#web/features/articles/body/ready-html.ts'

/** The heading one is reading below, as the page scrolls. */
export function useActiveHeading(headings: readonly Heading[]): string {
  const [active, setActive] = useState('')
  const look = useEffectEvent(() => {
    const tops = headings.map(({ id }) => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity)
    setActive(headings[readingBelow(tops)]?.id ?? '')
  })
  useEffect(() => {
    let frame = 0
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => look())
    }
    soon()
    window.addEventListener('scroll', soon, { passive: true })
    window.addEventListener('resize', soon)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', soon)
      window.removeEventListener('resize', soon)
    }
  }, [])
  return active
}

/** Just below the header that stays. */
const line = 112

/** The last that has passed the line where one begins to read; before the first, none. */
export function readingBelow(tops: readonly number[]): number {
  return tops.findLastIndex((top) => top <= line)
}
