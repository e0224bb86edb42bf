import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Content, type Draft, drafts, isBlank, isSame } from '#web/features/editor/draft.ts'
import { local } from '#web/lib/storage.ts'

const pauseMs = 500

interface DraftOptions {
  user: number
  article: { id: number; updated_at: number | null } | undefined
  /** What the form holds now. */
  read: () => Content
}

/** Keeps what is written in the browser, half a second after the writing pauses. */
export function useDraft({ user, article, read }: DraftOptions) {
  const [kept] = useState(() => drafts(local, { user, article: article?.id ?? 0 }))
  const [base] = useState(article?.updated_at ?? 0)
  const [offered, setOffered] = useState<Draft[]>([])
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
    setSavedAt(kept.save({ ...now, at, base }) ? at : -1)
  })

  const isDirty = useCallback(() => !isOver.current && (timer.current !== undefined || isChanged.current), [])

  // Once more when the page goes away, though it may be saved already: logging out in another window forgets all.
  useEffect(() => {
    const flush = () => isDirty() && save()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [isDirty])

  return {
    offered,
    /** Whether the article has changed since that one was begun. */
    isOutdated: (draft: Draft) => draft.base !== base,
    savedAt,
    isDirty,
    save,
    /** Compares with this from now on. */
    start: (content: Content) => {
      if (published.current) return
      published.current = content
      for (const draft of kept.others()) if (isSame(draft, content)) kept.discard(draft.id)
      setOffered(kept.others())
    },
    touch: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(save, pauseMs)
    },
    /** Before one of those offered takes the place of what is written. */
    take: ({ id }: Draft) => {
      save()
      kept.take(id)
      setOffered(kept.others())
    },
    discard: ({ id }: Draft) => {
      kept.discard(id)
      setOffered((before) => before.filter((draft) => draft.id !== id))
    },
    /** It has been published: nothing more is kept of it. */
    end: () => {
      isOver.current = true
      clearTimeout(timer.current)
      timer.current = undefined
      kept.end()
    },
  }
}
