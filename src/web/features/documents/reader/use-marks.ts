import { useEffect, useMemo, useRef, useState } from 'react'
import { type Found, marksOn } from '#web/features/documents/reader/looked-for.ts'
import type { Mark, Marked } from '#web/features/documents/reader/marks.ts'

/** Pages that fly by are not asked for. */
const settledMs = 70

/** The marks on the pages that are held, asked for once for each page and words. */
export function useMarks(id: number, found: Found | undefined, held: readonly number[]): Marked['marks'] {
  const [known, setKnown] = useState<ReadonlyMap<string, readonly Mark[]>>(new Map())
  const asked = useRef(new Set<string>())
  const [first, last] = [held[0] ?? 0, held.at(-1) ?? 0]
  const words = found?.words ?? ''
  const pages = useMemo(
    () => found?.pages.filter(({ page }) => page >= first && page <= last).map(({ page }) => page) ?? [],
    [found, first, last],
  )
  useEffect(() => {
    const ask = async (page: number) => {
      const key = keyOf(words, page)
      if (asked.current.has(key)) return
      asked.current.add(key)
      try {
        const marks = await marksOn(id, words, page)
        setKnown((before) => new Map(before).set(key, marks))
      } catch {
        // It is asked for again when one comes by again.
        asked.current.delete(key)
      }
    }
    const timer = setTimeout(() => pages.forEach((page) => void ask(page)), settledMs)
    return () => clearTimeout(timer)
  }, [id, words, pages])
  return useMemo(() => {
    const marks = new Map<number, readonly Mark[]>()
    for (const page of pages) {
      const on = known.get(keyOf(words, page))
      if (on) marks.set(page, on)
    }
    return marks
  }, [known, words, pages])
}

function keyOf(words: string, page: number): string {
  return `${page} ${words}`
}
