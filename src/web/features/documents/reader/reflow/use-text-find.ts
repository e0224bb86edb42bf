import { useEffect, useEffectEvent, useState } from 'react'
import { findInDocument, type FindResult } from '#web/features/documents/reader/find/find-api.ts'
import { describeFailure, type FindFailure } from '#web/features/documents/reader/find/find-failure.ts'
import type { HitPosition } from '#web/features/documents/reader/find/highlights.ts'
import { adjacentHit, countHits, firstHitFrom, hitNumber } from '#web/features/documents/reader/find/hit-order.ts'
import { useRetry } from '#web/lib/browser/online.ts'

/** Finds words in the whole document, and steps through them. */
export function useTextFind(id: number, current: number) {
  const [query, setQuery] = useState({ words: '' })
  const [lastResult, setLastResult] = useState<FindResult>()
  const [lastPosition, setLastPosition] = useState<HitPosition>()
  const [lastFailure, setLastFailure] = useState<FindFailure>()
  const show = useEffectEvent((next: FindResult) => {
    setLastResult(next)
    setLastFailure(undefined)
    setLastPosition(firstHitFrom(next.pages, current))
  })
  useEffect(() => {
    const { words } = query
    if (words === '') return undefined
    let isStale = false
    const search = async () => {
      try {
        // There is no text view before the text is extracted.
        const next = { ...(await findInDocument(id, words)), extraction: undefined }
        if (!isStale) show(next)
      } catch (error) {
        if (!isStale) setLastFailure(describeFailure(words, error))
      }
    }
    void search()
    return () => {
      isStale = true
    }
  }, [id, query])
  const { words } = query
  const failure = lastFailure?.words === words ? lastFailure : undefined
  useRetry(failure?.isOfNetwork ? failure : undefined, () => setQuery({ words }))
  const result = words !== '' && lastResult?.words === words ? lastResult : undefined
  const position = result && lastPosition
  const pages = result?.pages ?? []
  return {
    words,
    result,
    position,
    problem: failure?.message ?? '',
    isSearching: words !== '' && !result && !failure,
    total: countHits(pages),
    currentNumber: hitNumber(pages, position),
    step: (direction: 1 | -1) =>
      setLastPosition(position ? adjacentHit(pages, position, direction) : firstHitFrom(pages, current)),
    search: (next: string) => setQuery({ words: next }),
  }
}
