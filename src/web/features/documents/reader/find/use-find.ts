import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  type FindResult,
  findInDocument,
  loadExtractionProgress,
} from '#web/features/documents/reader/find/find-api.ts'
import { describeFailure, type FindFailure } from '#web/features/documents/reader/find/find-failure.ts'
import type { HighlightState, HitPosition } from '#web/features/documents/reader/find/highlights.ts'
import {
  adjacentHit,
  countHits,
  firstHitFrom,
  hitNumber,
  type PageHits,
} from '#web/features/documents/reader/find/hit-order.ts'
import { useHighlights } from '#web/features/documents/reader/find/use-highlights.ts'
import { type ReaderElements, useScrollToHit } from '#web/features/documents/reader/find/use-scroll-to-hit.ts'
import { useRetry } from '#web/lib/browser/online.ts'
import type { ReaderState } from '#web/features/documents/reader/pages/use-reader.ts'

interface FindOptions {
  id: number
  initialWords: string
  /** The page to start from; undefined for the current one. */
  start: number | undefined
  elements: ReaderElements
  reader: ReaderState
  onHighlights: (state: HighlightState) => void
}

const firstPollMs = 2000
const maxPollMs = 30_000

/** Searches the whole document, highlights the hits on the rendered pages, and steps through them. */
export function useFind({ id, initialWords, start, elements, reader, onHighlights }: FindOptions) {
  const { preview } = reader
  const startPage = useRef(start)
  const isExtracted = useRef(false)
  const [query, setQuery] = useState({ words: initialWords, preview })
  // A larger preview is searched again.
  if (query.preview !== preview) setQuery({ ...query, preview })
  const [lastResult, setLastResult] = useState<FindResult>()
  const [position, setPosition] = useState<HitPosition>()
  const [failure, setFailure] = useState<FindFailure>()

  const showResult = useEffectEvent((next: FindResult) => {
    const keepsPosition = lastResult?.words === next.words && hitNumber(next.pages, position) > 0
    setLastResult(next)
    setFailure(undefined)
    if (!keepsPosition) setPosition(firstHitFrom(next.pages, startPage.current ?? reader.current))
    startPage.current = undefined
  })
  useEffect(() => {
    const { words } = query
    if (words === '') return undefined
    let isStale = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const search = async (pollMs: number) => {
      try {
        // Loaded before searching: if the text is complete now, so is the result.
        const extraction = isExtracted.current ? undefined : await loadExtractionProgress(id)
        const next = { ...(await findInDocument(id, words)), extraction }
        if (isStale) return
        isExtracted.current = extraction === undefined
        showResult(next)
        if (extraction) timer = setTimeout(() => void search(Math.min(pollMs * 2, maxPollMs)), pollMs)
      } catch (error) {
        if (!isStale) setFailure(describeFailure(words, error))
      }
    }
    void search(firstPollMs)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [id, query])

  const { words } = query
  const result = words === '' ? undefined : lastResult
  const current = result && position
  const highlights = useHighlights(id, result, reader.rendered)
  const onShown = useScrollToHit({ position: current, elements, reader })
  useEffect(() => onHighlights({ highlights, current, onShown }), [onHighlights, highlights, current, onShown])

  const pages: PageHits = result?.pages ?? []
  const ownFailure = failure?.words === words ? failure : undefined
  useRetry(ownFailure?.isOfNetwork ? ownFailure : undefined, () => setQuery({ ...query }))
  const problem = ownFailure?.message ?? ''
  return {
    words,
    result,
    isSearching: words !== '' && lastResult?.words !== words && problem === '',
    problem,
    total: countHits(pages),
    currentNumber: hitNumber(pages, current),
    step: (direction: 1 | -1) =>
      setPosition(position ? adjacentHit(pages, position, direction) : firstHitFrom(pages, reader.current)),
    search: (words: string) => setQuery({ words, preview }),
  }
}
