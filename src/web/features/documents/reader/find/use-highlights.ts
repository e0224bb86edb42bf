import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type FindResult, findOnPage } from '#web/features/documents/reader/find/find-api.ts'
import type { Highlight, HighlightState } from '#web/features/documents/reader/find/highlights.ts'
import { useRetry } from '#web/lib/browser/online.ts'

/** Pages that are scrolled past are not requested. */
const delayMs = 70

/** The highlights on the rendered pages, requested once for each page and words. */
export function useHighlights(
  id: number,
  result: FindResult | undefined,
  rendered: readonly number[],
): HighlightState['highlights'] {
  const [cache, setCache] = useState<ReadonlyMap<string, readonly Highlight[]>>(new Map())
  const requested = useRef(new Set<string>())
  const [failure, setFailure] = useState<object>()
  const [first, last] = [rendered[0] ?? 0, rendered.at(-1) ?? 0]
  const words = result?.words ?? ''
  const pages = useMemo(
    () => result?.pages.filter(({ page }) => page >= first && page <= last).map(({ page }) => page) ?? [],
    [result, first, last],
  )
  const load = useCallback(async () => {
    const loadPage = async (page: number) => {
      const key = keyOf(words, page)
      if (requested.current.has(key)) return
      requested.current.add(key)
      try {
        const highlights = await findOnPage(id, words, page)
        setCache((before) => new Map(before).set(key, highlights))
      } catch {
        requested.current.delete(key)
        setFailure({})
      }
    }
    await Promise.all(pages.map(loadPage))
  }, [id, words, pages])
  useEffect(() => {
    const timer = setTimeout(() => void load(), delayMs)
    return () => clearTimeout(timer)
  }, [load])
  useRetry(failure, () => {
    setFailure(undefined)
    void load()
  })
  return useMemo(() => {
    const byPage = new Map<number, readonly Highlight[]>()
    for (const page of pages) {
      const highlights = cache.get(keyOf(words, page))
      if (highlights) byPage.set(page, highlights)
    }
    return byPage
  }, [cache, words, pages])
}

function keyOf(words: string, page: number): string {
  return `${page} ${words}`
}
