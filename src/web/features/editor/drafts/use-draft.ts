import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError, networkFailure } from '#shared/errors.ts'
import { type Content, type Draft, drafts, isBlank, isSame } from '#web/features/editor/drafts/draft.ts'
import { remoteDraft } from '#web/features/editor/drafts/remote-draft.ts'
import { fetchDraft, listOffered, type OfferedDraft, sendDraft } from '#web/features/editor/drafts/server-drafts.ts'
import { useWhenOnline } from '#web/lib/browser/online.ts'
import { local } from '#web/lib/browser/storage.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** After the last change, in the browser and then on the server. */
const localDelayMs = 500
const remoteDelayMs = 1500

interface DraftOptions {
  user: number
  article: { id: number; updated_at: number | null } | undefined
  /** The current values of the form. */
  read: () => Content
}

/** Where the latest changes are. `nowhere`: neither the server nor the browser has taken them. */
export interface DraftState {
  place: 'unchanged' | 'sending' | 'server' | 'browser' | 'nowhere'
  at: number
  /** Why the server has refused it. */
  problem: string
}

/**
 * Saves the form as a draft: in the browser at once, which works without a network, and on the server soon after, where the
 * member finds it in any browser. What the server has is removed from the browser.
 */
export function useDraft({ user, article, read }: DraftOptions) {
  const [storage] = useState(() => drafts(local, { user, article: article?.id ?? 0 }))
  const [base] = useState(article?.updated_at ?? 0)
  const [offered, setOffered] = useState<OfferedDraft[]>([])
  const [state, setState] = useState<DraftState>({ place: 'unchanged', at: 0, problem: '' })
  const [isForked, setIsForked] = useState(false)
  const initialContent = useRef<Content>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const remoteTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isPublished = useRef(false)
  /** What was saved in the browser last, until the server has it. */
  const unsent = useRef<{ content: Content; isStored: boolean }>(undefined)
  const isSaved = useRef(false)

  const onSaved = useEffectEvent((content: Content, forked: boolean) => {
    if (forked) setIsForked(true)
    if (!unsent.current || !isSame(unsent.current.content, content)) return
    unsent.current = undefined
    isSaved.current = true
    storage.end()
    setState({ place: 'server', at: Date.now(), problem: '' })
  })
  const onFailed = useEffectEvent((error: unknown) => {
    const place = unsent.current?.isStored ? 'browser' : 'nowhere'
    const isRefused = error instanceof ApiError && error.status !== networkFailure && error.status < 500
    setState({ place, at: Date.now(), problem: isRefused ? error.message : '' })
  })
  const [remote] = useState(() =>
    remoteDraft({
      send: (content, known) => sendDraft(content, known, { articleId: article?.id ?? 0, base }),
      onSaved: (content, forked) => onSaved(content, forked),
      onFailed: (error) => onFailed(error),
    }),
  )

  const send = useEffectEvent(() => {
    clearTimeout(remoteTimer.current)
    remoteTimer.current = undefined
    if (unsent.current && !isPublished.current) remote.save(unsent.current.content)
  })

  const save = useEffectEvent((isSentNow = false) => {
    clearTimeout(timer.current)
    timer.current = undefined
    if (isPublished.current || !initialContent.current) return
    const content = read()
    const isChanged = !isBlank(content) && !isSame(content, initialContent.current)
    // Back to what it was: only what the server already has must follow.
    if (!isChanged && !isSaved.current && !unsent.current) return
    const at = Date.now()
    const isStored = storage.save({ ...content, at, base })
    unsent.current = { content, isStored }
    setState({ place: 'sending', at, problem: '' })
    clearTimeout(remoteTimer.current)
    if (isSentNow) send()
    else remoteTimer.current = setTimeout(send, remoteDelayMs)
  })
  useWhenOnline(() => send())

  const isDirty = useCallback(
    () => !isPublished.current && (timer.current !== undefined || unsent.current !== undefined),
    [],
  )

  useEffect(() => {
    // The browser keeps what is not sent: signing out in another window clears its storage, so it is saved again.
    const flush = () => isDirty() && save()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      const isUnfinished = !isPublished.current && (isDirty() || isSaved.current)
      if (isDirty()) save(true)
      if (isUnfinished) toast('草稿已保存，可以在“我的文章”里接着写')
    }
  }, [isDirty])

  const offer = useEffectEvent(async (except: number) => {
    const inBrowser = storage.others().map((draft) => ({ ...draft, key: draft.id, isOutdated: draft.base !== base }))
    setOffered(inBrowser)
    const onServer = await listOffered({ articleId: article?.id ?? 0, base, except })
    if (!isPublished.current) setOffered([...inBrowser, ...onServer].toSorted((a, b) => b.at - a.at))
  })

  return {
    offered,
    state,
    /** Another window has changed the draft: this one goes on in its own. */
    isForked,
    isDirty,
    save: () => save(true),
    /** Sets the content that later changes are compared with. `opened` is the id of a draft that is not offered. */
    start: (content: Content, opened = 0) => {
      if (initialContent.current) return
      initialContent.current = content
      for (const draft of storage.others()) if (isSame(draft, content)) storage.discard(draft.id)
      void offer(opened)
    },
    scheduleSave: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(save, localDelayMs)
    },
    /** The content of an offered draft, which replaces the form's: that one stays as a draft too. */
    adopt: async (chosen: OfferedDraft): Promise<Content> => {
      if (isDirty()) save(true)
      await remote.flush()
      const next = chosen.remote ? await fetchDraft(chosen.remote.id) : undefined
      remote.adopt(next?.ref)
      unsent.current = undefined
      isSaved.current = next !== undefined
      if (!chosen.remote) storage.adopt(chosen.key)
      setOffered((before) => before.filter(({ key }) => key !== chosen.key))
      return next?.content ?? (chosen as Draft)
    },
    discard: async (chosen: OfferedDraft): Promise<void> => {
      if (chosen.remote) await chosen.remote.remove()
      else storage.discard(chosen.key)
      setOffered((before) => before.filter(({ key }) => key !== chosen.key))
    },
    /** Before publishing: nothing is being saved afterwards, until something is changed again. */
    settle: () => {
      clearTimeout(timer.current)
      clearTimeout(remoteTimer.current)
      timer.current = undefined
      return remote.settle()
    },
    /** After publishing. */
    end: () => {
      isPublished.current = true
      clearTimeout(timer.current)
      clearTimeout(remoteTimer.current)
      timer.current = undefined
      storage.end()
    },
  }
}
