import { useEffect, useEffectEvent, useState } from 'react'
import type { Heading } from '#web/features/articles/body/prepare-html.ts'

/** The id of the heading above the text that is being read. */
export function useActiveHeading(headings: readonly Heading[]): string {
  const [active, setActive] = useState('')
  const update = useEffectEvent(() => {
    const tops = headings.map(({ id }) => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity)
    setActive(headings[activeIndex(tops)]?.id ?? '')
  })
  useEffect(() => {
    let frame = 0
    const schedule = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => update())
    }
    schedule()
    window.addEventListener('scroll', schedule, { passive: true })
    window.addEventListener('resize', schedule)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', schedule)
      window.removeEventListener('resize', schedule)
    }
  }, [])
  return active
}

/** Just below the sticky header. */
const readingLine = 112

/** The last heading above the reading line; -1 before the first. */
export function activeIndex(tops: readonly number[]): number {
  return tops.findLastIndex((top) => top <= readingLine)
}
