import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Content, type Draft, drafts, isBlank, isSame } from '#web/features/editor/draft.ts'
import { local } from '#web/lib/browser/storage.ts'

const debounceMs = 500

interface DraftOptions {
  user: number
  article: { id: number; updated_at: number | null } | undefined
  /** The current values of the form. */
  read: () => Content
}

/** Saves the form as a draft in the browser, half a second after the last change. */
export function useDraft({ user, article, read }: DraftOptions) {
  const [storage] = useState(() => drafts(local, { user, article: article?.id ?? 0 }))
  const [base] = useState(article?.updated_at ?? 0)
  const [offered, setOffered] = useState<Draft[]>([])
  /** The time of the last save; 0 before the first, −1 if the storage is blocked. */
  const [savedAt, setSavedAt] = useState(0)
  const initialContent = useRef<Content>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isPublished = useRef(false)
  const isChanged = useRef(false)

  const save = useEffectEvent(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    if (isPublished.current || !initialContent.current) return
    const content = read()
    isChanged.current = !isBlank(content) && !isSame(content, initialContent.current)
    if (!isChanged.current) return
    const at = Date.now()
    setSavedAt(storage.save({ ...content, at, base }) ? at : -1)
  })

  const isDirty = useCallback(() => !isPublished.current && (timer.current !== undefined || isChanged.current), [])

  // Saved again when the page is left: signing out in another window clears the storage.
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
    /** Whether the article has changed since the draft was started. */
    isOutdated: (draft: Draft) => draft.base !== base,
    savedAt,
    isDirty,
    save,
    /** Sets the content that later changes are compared with. */
    start: (content: Content) => {
      if (initialContent.current) return
      initialContent.current = content
      for (const draft of storage.others()) if (isSame(draft, content)) storage.discard(draft.id)
      setOffered(storage.others())
    },
    scheduleSave: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(save, debounceMs)
    },
    /** Called before an offered draft replaces the form's content. */
    adopt: ({ id }: Draft) => {
      save()
      storage.adopt(id)
      setOffered(storage.others())
    },
    discard: ({ id }: Draft) => {
      storage.discard(id)
      setOffered((before) => before.filter((draft) => draft.id !== id))
    },
    /** After publishing. */
    end: () => {
      isPublished.current = true
      clearTimeout(timer.current)
      timer.current = undefined
      storage.end()
    },
  }
}
