import { useEffect, useState } from 'react'
import { comments, type Comment, type Thread } from '#shared/contract/social.ts'
import { ApiError } from '#shared/errors.ts'
import { joined, mayStillCome, nextPage, withComment, withoutComment } from '#web/features/social/threads.ts'
import { api } from '#web/lib/api.ts'

export interface Subject {
  type: 0 | 1
  id: number
}

interface State {
  threads: Thread[]
  /** Threads there are, with those not yet loaded. */
  total: number
  /** Comments that everybody sees. */
  shown: number
  isLoaded: boolean
  isBusy: boolean
  problem: string
  /** The time that the others are told from. */
  now: number
}

export interface Threads extends State {
  /** The wanted one may be among those that are still to come. */
  isSeeking: boolean
  more: () => void
  add: (comment: Comment) => void
  remove: (comment: Comment) => Promise<void>
}

const size = 20
/** A wanted comment is looked for among so many threads, no further. */
const farthest = 10 * size
const start: State = { threads: [], total: 0, shown: 0, isLoaded: false, isBusy: true, problem: '', now: 0 }

/** What is said about the subject; read on until it holds the wanted comment, if there is one. */
export function useThreads({ type, id }: Subject, wanted: number): Threads {
  const [state, setState] = useState(start)
  useEffect(() => {
    let isGone = false
    void asked({ type, id }, 1).then((change) => !isGone && setState(change))
    return () => {
      isGone = true
    }
  }, [type, id])
  const more = async () => {
    setState((before) => ({ ...before, isBusy: true, problem: '' }))
    setState(await asked({ type, id }, nextPage(state.threads.length, size)))
  }
  const isSeeking = state.problem === '' && mayStillCome(wanted, state.threads, Math.min(state.total, farthest))
  const held = state.threads.length
  useEffect(() => {
    if (!isSeeking) return undefined
    let isGone = false
    void asked({ type, id }, nextPage(held, size)).then((change) => !isGone && setState(change))
    return () => {
      isGone = true
    }
  }, [isSeeking, held, type, id])
  const add = (comment: Comment) => setState((before) => grown(before, comment))
  const remove = async (comment: Comment) => {
    await api(comments.delete, { id: [comment.id] })
    setState((before) => shrunk(before, comment))
  }
  return { ...state, isBusy: state.isBusy || isSeeking, isSeeking, more: () => void more(), add, remove }
}

/** What the answer makes of what is held. */
function asked({ type, id }: Subject, page: number): Promise<(before: State) => State> {
  return api(comments.threads, { document_id: id, type, page, size }).then(
    (reply) => (before) => received(before, reply),
    (error: unknown) => (before) => ({ ...before, isBusy: false, problem: problemOf(error) }),
  )
}

function received(before: State, reply: { total: number; shown: number; comment: Thread[] }): State {
  const threads = joined(before.threads, reply.comment)
  // Nothing new on the last page: whatever the figure says, there is no more to come.
  const isEnd = threads.length === before.threads.length
  return {
    threads,
    total: isEnd ? threads.length : reply.total,
    shown: reply.shown,
    isLoaded: true,
    isBusy: false,
    problem: '',
    now: Date.now(),
  }
}

function grown(before: State, comment: Comment): State {
  return {
    ...before,
    threads: withComment(before.threads, comment),
    total: before.total + (comment.parent_id === 0 ? 1 : 0),
    shown: before.shown + (comment.status === 1 ? 1 : 0),
    now: Date.now(),
  }
}

function shrunk(before: State, comment: Comment): State {
  const threads = withoutComment(before.threads, comment.id)
  return {
    ...before,
    threads,
    total: before.total - (before.threads.length - threads.length),
    shown: Math.max(0, before.shown - (comment.status === 1 ? 1 : 0)),
  }
}

function problemOf(error: unknown): string {
  return error instanceof ApiError ? error.message : '评论没有加载成功，请稍后重试'
}
