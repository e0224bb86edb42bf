import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReviewQueue } from '#shared/contract/review.ts'
import { ApiError } from '#shared/errors.ts'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import {
  currentId,
  decide,
  type Decision,
  type DeskState,
  extend,
  move,
  nextUndecided,
  reopen,
  returnToSkipped,
  startDesk,
} from '#web/admin/review/desk-state.ts'
import { queueSources } from '#web/admin/review/pending-counts.ts'
import type { ReviewItem, ReviewKind } from '#web/admin/review/review-kinds.tsx'

const undoMs = 10_000
/** An item that was loaded ahead and not shown for so long is loaded again: another reviewer may have decided. */
const maxAgeMs = 15_000

interface Loaded {
  item?: ReviewItem
  error?: unknown
  at: number
}

interface Undoable {
  item: ReviewItem
  decision: Decision
}

export const decisionLabels: Record<Decision, string> = { approve: '通过', reject: '不通过' }

/** The queue of one kind: the current item, decisions that are sent while the next item is shown, and taking them back. */
export function useDesk(kind: ReviewKind, queue: ReviewQueue) {
  const [state, setState] = useState(() => startDesk(queue))
  const [loaded, setLoaded] = useState<ReadonlyMap<number, Loaded>>(new Map())
  const [undoable, setUndoable] = useState<readonly Undoable[]>([])
  const { showWarning, showError } = useFeedback()
  /** Requests about an item are sent one after the other; each tells whether it succeeded. */
  const requests = useRef(new Map<number, Promise<boolean>>())
  const loading = useRef(new Set<number>())

  const id = currentId(state)
  const nextId = state.ids[nextUndecided(state)]
  const current = id === undefined ? undefined : loaded.get(id)

  const load = async (wanted: number): Promise<void> => {
    if (loading.current.has(wanted)) return
    loading.current.add(wanted)
    const sent = requests.current.get(wanted)
    await sent
    const result = await kind.loadItem(wanted).then(
      (item): Loaded => ({ item, at: Date.now() }),
      (error: unknown): Loaded => ({ error, at: Date.now() }),
    )
    loading.current.delete(wanted)
    // Decided here while it was loading.
    if (requests.current.get(wanted) !== sent) return
    const why = whyUndecidable(result)
    if (why) {
      showWarning(why)
      setState((before) => decide(before, wanted, 'elsewhere'))
    }
    for (const source of result.item?.images ?? []) new Image().src = source
    setLoaded((before) => new Map(before).set(wanted, result))
  }

  const loadCurrent = useEffectEvent(async (wanted: number) => {
    const known = loaded.get(wanted)
    const isFresh = known?.item && Date.now() - known.at < maxAgeMs
    if (!isFresh && !state.outcomes.has(wanted)) await load(wanted)
  })
  const loadAhead = useEffectEvent(async (wanted: number) => {
    if (!loaded.get(wanted)?.item) await load(wanted)
  })
  const loadMore = useEffectEvent(async (after: number) => {
    try {
      const more = await queueSources[kind.key].load(after)
      setState((before) => extend(before, more))
    } catch (error) {
      showError('加载', error)
    }
  })
  const lastId = state.ids.at(-1) ?? 0
  const isNearEnd = state.unloaded > 0 && state.at >= state.ids.length - 2
  // The current item first, then the one after it, before it is asked for.
  useEffect(() => {
    const start = async () => {
      if (id !== undefined) await loadCurrent(id)
      if (nextId !== undefined) await loadAhead(nextId)
      if (isNearEnd) await loadMore(lastId)
    }
    void start()
  }, [id, nextId, isNearEnd, lastId])

  const isUndecided = id !== undefined && !state.outcomes.has(id)
  const forget = (entry: Undoable) => setUndoable((before) => before.filter((one) => one !== entry))
  const reopenItem = (item: ReviewItem) => setState((before) => reopen(before, item.id))
  const send = (id: number, request: (isDone: boolean) => Promise<unknown>, onError: (error: unknown) => void) => {
    const before = requests.current.get(id) ?? Promise.resolve(true)
    const sent = before.then(request).then(
      () => true,
      (error: unknown) => {
        onError(error)
        return false
      },
    )
    requests.current.set(id, sent)
  }

  const judge = (decision: Decision, reason = '') => {
    const item = current?.item
    if (!item || !isUndecided) return
    const entry = { item, decision }
    setState((before) => decide(before, item.id, decision))
    setUndoable((before) => [...before, entry])
    setTimeout(() => forget(entry), undoMs)
    send(
      item.id,
      () => kind.decide(item, decision, reason),
      (error) => {
        forget(entry)
        if (isDecidedElsewhere(error)) {
          showWarning(`《${item.title}》已跳过：${error.message}`)
          setState((before) => decide(before, item.id, 'elsewhere'))
        } else {
          showError(`${decisionLabels[decision]}《${item.title}》`, error)
          reopenItem(item)
          if (isReplaced(error)) void load(item.id)
        }
      },
    )
  }

  const undo = () => {
    const last = undoable.at(-1)
    if (!last) return
    const { item, decision } = last
    forget(last)
    reopenItem(item)
    send(
      item.id,
      // A decision that did not reach the server needs no undoing.
      async (isDone) => isDone && kind.undo(item.id, decision),
      (error) => {
        showError(`撤销《${item.title}》`, error)
        setState((before) => decide(before, item.id, isDecidedElsewhere(error) ? 'elsewhere' : decision))
      },
    )
  }

  return {
    state,
    item: current?.item,
    error: current?.error,
    outcome: id === undefined ? undefined : state.outcomes.get(id),
    /** The decision that can be taken back: the latest. */
    undoable: undoable.at(-1),
    judge,
    undo,
    go: (by: 1 | -1) => setState((before: DeskState) => move(before, by)),
    returnToSkipped: () => setState(returnToSkipped),
    retry: () => id !== undefined && void load(id),
  }
}

/** Another reviewer was first, or it has been deleted. */
function whyUndecidable({ item, error }: Loaded): string | undefined {
  if (item && !item.isPending) return `《${item.title}》已跳过：别人已经处理过了，现在的状态是“${item.status}”`
  return error instanceof ApiError && error.status === 404 ? `已跳过一项：${error.message}` : undefined
}

/** Another file than the one that the reviewer saw. */
function isReplaced(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'review.replaced'
}

/** Decided by another reviewer, or deleted. */
function isDecidedElsewhere(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.reason === 'review.decided' || error.status === 404)
}
