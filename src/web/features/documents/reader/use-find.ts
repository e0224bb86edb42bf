import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { beside, firstFrom, ordinalOf, type PageHits, totalOf } from '#web/features/documents/reader/hit-order.ts'
import { type Found, lookFor, unreadOf } from '#web/features/documents/reader/looked-for.ts'
import type { HitPlace, Marked } from '#web/features/documents/reader/marks.ts'
import { type Scene, useArrival } from '#web/features/documents/reader/use-arrival.ts'
import { useMarks } from '#web/features/documents/reader/use-marks.ts'
import type { ReaderState } from '#web/features/documents/reader/use-reader.ts'

interface FindGiven {
  id: number
  /** What to begin with, and on which page; without a page, on the one that is read. */
  words: string
  start: number | undefined
  scene: Scene
  reader: ReaderState
  onMarked: (marked: Marked) => void
}

const firstPauseMs = 2000
const longestPauseMs = 30_000

/** Looks for words in the whole document, marks them on the pages that are held, and goes from hit to hit. */
export function useFind({ id, words: firstWords, start, scene, reader, onMarked }: FindGiven) {
  const { preview } = reader
  const from = useRef(start)
  const isRead = useRef(false)
  const [question, setQuestion] = useState({ words: firstWords, preview })
  // Who may look at more pages asks anew.
  if (question.preview !== preview) setQuestion({ ...question, preview })
  const [answer, setAnswer] = useState<Found>()
  const [place, setPlace] = useState<HitPlace>()
  const [trouble, setTrouble] = useState<{ words: string; message: string }>()

  const take = useEffectEvent((next: Found) => {
    const isSame = answer?.words === next.words && ordinalOf(next.pages, place) > 0
    setAnswer(next)
    setTrouble(undefined)
    if (!isSame) setPlace(firstFrom(next.pages, from.current ?? reader.current))
    from.current = undefined
  })
  useEffect(() => {
    const { words } = question
    if (words === '') return undefined
    let isLate = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (pause: number) => {
      try {
        // Asked first: what is complete now is looked through completely.
        const unread = isRead.current ? undefined : await unreadOf(id)
        const next = { ...(await lookFor(id, words)), unread }
        if (isLate) return
        isRead.current = unread === undefined
        take(next)
        // More of the text comes by itself.
        if (unread) timer = setTimeout(() => void look(Math.min(pause * 2, longestPauseMs)), pause)
      } catch (error) {
        if (!isLate) setTrouble({ words, message: error instanceof Error ? error.message : '查找失败，请重试' })
      }
    }
    void look(firstPauseMs)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [id, question])

  const { words } = question
  const found = words === '' ? undefined : answer
  const current = found && place
  const marks = useMarks(id, found, reader.held)
  const onShown = useArrival({ place: current, scene, reader })
  useEffect(() => onMarked({ marks, current, onShown }), [onMarked, marks, current, onShown])

  const pages: PageHits = found?.pages ?? []
  const failed = trouble?.words === words ? trouble.message : ''
  return {
    words,
    found,
    isLooking: words !== '' && answer?.words !== words && failed === '',
    failed,
    total: totalOf(pages),
    ordinal: ordinalOf(pages, current),
    step: (direction: 1 | -1) => setPlace(place ? beside(pages, place, direction) : firstFrom(pages, reader.current)),
    look: (words: string) => setQuestion({ words, preview }),
  }
}
