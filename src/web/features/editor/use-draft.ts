import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Content, drafts, isBlank, isSame } from '#web/features/editor/draft.ts'
import { local } from '#web/lib/storage.ts'

const pauseMs = 500

interface DraftOptions {
  user: number
  article: number
  /** What the form holds now. */
  read: () => Content
}

/** Keeps what is written in the browser, half a second after the writing pauses. */
export function useDraft({ user, article, read }: DraftOptions) {
  const [kept] = useState(() => drafts(local, { user, article }))
  const [offered, setOffered] = useState(() => kept.older())
  /** When it was last saved; 0 if not at all, −1 if the browser does not keep anything. */
  const [savedAt, setSavedAt] = useState(0)
  const published = useRef<Content>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isOver = useRef(false)
  const isChanged = useRef(false)

  const save = useEffectEvent(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    if (isOver.current || !published.current) return
    const now = read()
    isChanged.current = !isBlank(now) && !isSame(now, published.current)
    if (!isChanged.current) return
    const at = Date.now()
    setSavedAt(kept.save({ ...now, at }) ? at : -1)
  })

  // What is still to be saved when the page goes away is saved then.
  useEffect(() => {
    const flush = () => timer.current !== undefined && save()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [])

  const isDirty = useCallback(() => !isOver.current && (timer.current !== undefined || isChanged.current), [])

  return {
    offered,
    savedAt,
    isDirty,
    save,
    /** Compares with this from now on. */
    start: (content: Content) => {
      published.current ??= content
    },
    touch: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(save, pauseMs)
    },
    /** One of those offered has been taken up, and the others with it. */
    settle: () => {
      kept.forgetOlder()
      setOffered([])
    },
    discard: () => {
      kept.remove()
      setOffered([])
    },
    /** It has been published: nothing more is kept. */
    end: () => {
      isOver.current = true
      clearTimeout(timer.current)
      timer.current = undefined
      kept.remove()
    },
  }
}
