import { useState } from 'react'
import { comments, type Comment, type Thread } from '#shared/contract/comments.ts'
import { ReviewStatus } from '#shared/enums.ts'
import {
  mayBeUnloaded,
  mergeThreads,
  nextPage,
  withComment,
  withoutComment,
} from '#web/features/social/comments/threads.ts'
import type { Subject } from '#web/features/social/favorites.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface LoadedThreads {
  threads: Thread[]
  /** All threads, with those not yet loaded. */
  total: number
  /** The number of public comments. */
  publicCount: number
  isLoaded: boolean
  /** When they were loaded: relative times refer to it. */
  now: number
}

export interface Threads extends LoadedThreads {
  /** The linked comment may be in threads that are not yet loaded. */
  isSeeking: boolean
  isBusy: boolean
  problem: string
  loadMore: () => void
  add: (comment: Comment) => void
  remove: (comment: Comment) => Promise<void>
}

const size = 20
/** A linked comment is looked for among so many threads. */
const maxSearched = 10 * size
const initial: LoadedThreads = { threads: [], total: 0, publicCount: 0, isLoaded: false, now: 0 }

/** The comments of a subject: the first page, and more until the linked comment is among them. */
export function useThreads({ type, id }: Subject, linkedId: number): Threads {
  const [state, setState] = useState(initial)
  const [wantsMore, setWantsMore] = useState(false)
  const mayHaveLinked = mayBeUnloaded(linkedId, state.threads, Math.min(state.total, maxSearched))
  const page = nextPage(state.threads.length, size)
  const { error, isLoading, refetch } = useQuery(
    `${type} ${id} ${state.threads.length}`,
    async () => {
      const reply = await api(comments.threads, { document_id: id, type, page, size })
      setState((before) => withPage(before, reply))
      setWantsMore(false)
    },
    { enabled: !state.isLoaded || mayHaveLinked || wantsMore },
  )
  return {
    ...state,
    isSeeking: mayHaveLinked && error === undefined,
    isBusy: isLoading,
    problem: error === undefined ? '' : describeProblem(error),
    loadMore: () => {
      setWantsMore(true)
      refetch()
    },
    add: (comment) => setState((before) => withAdded(before, comment)),
    remove: async (comment) => {
      await api(comments.delete, { id: [comment.id] })
      setState((before) => withRemoved(before, comment))
    },
  }
}

function withPage(before: LoadedThreads, reply: { total: number; shown: number; comment: Thread[] }): LoadedThreads {
  const threads = mergeThreads(before.threads, reply.comment)
  // A page with nothing new is the last one, whatever the total says.
  const isEnd = threads.length === before.threads.length
  return {
    threads,
    total: isEnd ? threads.length : reply.total,
    publicCount: reply.shown,
    isLoaded: true,
    now: Date.now(),
  }
}

function withAdded(before: LoadedThreads, comment: Comment): LoadedThreads {
  return {
    ...before,
    threads: withComment(before.threads, comment),
    total: before.total + (comment.parent_id === 0 ? 1 : 0),
    publicCount: before.publicCount + (comment.status === ReviewStatus.Approved ? 1 : 0),
    now: Date.now(),
  }
}

function withRemoved(before: LoadedThreads, comment: Comment): LoadedThreads {
  const threads = withoutComment(before.threads, comment.id)
  return {
    ...before,
    threads,
    total: before.total - (before.threads.length - threads.length),
    publicCount: Math.max(0, before.publicCount - (comment.status === ReviewStatus.Approved ? 1 : 0)),
  }
}

function describeProblem(error: unknown): string {
  return errorMessage(error, '评论没有加载成功，请稍后重试')
}
