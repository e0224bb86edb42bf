import type { Progress } from '#shared/contract/documents.ts'
import { extOf, titleOf } from '#shared/document-kinds.ts'
import { isConverting } from '#shared/document-status.ts'
import { type Refused, sortOut, type Rules } from '#web/features/documents/upload/acceptance.ts'
import { type Leftover, leftoverOf } from '#web/features/documents/upload/leftovers.ts'
import { LoginLost } from '#web/features/documents/upload/patience.ts'
import { type Facts, nothingKept, type Plan, type Row } from '#web/features/documents/upload/row.ts'
import { isBusy, isPublished, nextState, type RowEvent } from '#web/features/documents/upload/row-state.ts'
import type { Job } from '#web/features/documents/upload/upload-file.ts'

export interface QueueState {
  rows: readonly Row[]
  refused: readonly Refused[]
  plan: Plan
  /** The session ended while something was under way. */
  isParked: boolean
}

interface Means {
  upload: (job: Job) => Promise<void>
  /** Called when documents have begun to be converted. */
  converting: () => void
  /** What was begun on the server for a file that nobody wants to send any more. */
  drop: (row: Row) => void
}

const atOnce = 2
const tellEveryMs = 120
const emptyPlan: Plan = { category: [], language: '', price: '0', isFolder: false, hasDetails: false }

/** The files of this window on their way to the server: two at a time, each on its own. */
export function openQueue({ upload, converting, drop }: Means) {
  const listeners = new Set<() => void>()
  const leaving = new Map<number, AbortController>()
  let state: QueueState = { rows: [], refused: [], plan: emptyPlan, isParked: false }
  let lastId = 0
  let telling: ReturnType<typeof setTimeout> | undefined

  const announce = () => {
    clearTimeout(telling)
    telling = undefined
    for (const listener of listeners) listener()
  }
  const set = (change: Partial<QueueState>) => {
    state = { ...state, ...change }
    announce()
  }
  const find = (id: number) => state.rows.find((row) => row.id === id)
  const replaced = (id: number, change: Partial<Row>) =>
    state.rows.map((row) => (row.id === id ? { ...row, ...change } : row))

  /** Figures change many times a second; people cannot read that fast. */
  const note = (id: number, change: Partial<Row>) => {
    state = { ...state, rows: replaced(id, change) }
    telling ??= setTimeout(announce, tellEveryMs)
  }
  const move = (id: number, event: RowEvent, change: Partial<Row> = {}): boolean => {
    const row = find(id)
    const next = row && nextState(row.state, event)
    if (!next) return false
    set({ rows: replaced(id, { isWaiting: false, ...change, state: next }) })
    return true
  }

  const park = () => {
    for (const row of state.rows) if (isBusy(row.state)) stop(row.id, 'park')
    set({ isParked: true })
  }
  const stop = (id: number, event?: RowEvent) => {
    leaving.get(id)?.abort()
    leaving.delete(id)
    if (event) move(id, event)
  }

  const run = async (id: number) => {
    const going = new AbortController()
    const { signal } = going
    leaving.set(id, going)
    const job: Job = {
      row: () => find(id) ?? gone(signal),
      move: (event, change) => {
        signal.throwIfAborted()
        if (!move(id, event, change)) throw new Error(`${event} means nothing now`)
      },
      note: (change) => signal.aborted || note(id, change),
      signal,
    }
    try {
      await upload(job)
      converting()
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof LoginLost) return park()
      move(id, 'fail', { error: wordsFor(error) })
    } finally {
      if (leaving.get(id) === going) leaving.delete(id)
      next()
    }
  }
  const next = () => {
    const free = atOnce - leaving.size
    const waiting = state.rows.filter((row) => row.state === 'waiting' && !leaving.has(row.id)).slice(0, free)
    for (const { id } of waiting) void run(id)
  }

  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(files: readonly File[], { rules, left }: { rules: Rules; left: readonly Leftover[] }) {
      const { taken, refused } = sortOut(files, { rules, known: state.rows.map(({ file }) => file) })
      const rows = taken.map((file) => newRow((lastId += 1), file, leftoverOf(left, file)))
      set({ rows: [...state.rows, ...rows], refused })
    },
    edit: (id: number, change: Partial<Facts>) => set({ rows: replaced(id, change) }),
    plan: (change: Partial<Plan>) => set({ plan: { ...state.plan, ...change } }),
    dismissRefused: () => set({ refused: [] }),
    /** Everything that can be begun, with what holds for all at this moment. */
    begin() {
      const { category, language, price } = state.plan
      const rows = state.rows.map((row) => {
        const begun = nextState(row.state, 'begin')
        if (!begun) return row
        return {
          ...row,
          state: begun,
          error: '',
          category,
          language: row.language ?? language,
          price: row.price ?? price,
        }
      })
      set({ rows, isParked: false })
      next()
    },
    retry(id: number) {
      // What failed may have failed for its category.
      const { category } = state.plan
      if (move(id, 'retry', { error: '', ...(category.length > 0 && { category }) })) next()
    },
    remove(id: number) {
      const row = find(id)
      if (!row || row.state === 'publishing') return
      stop(id)
      set({ rows: state.rows.filter((one) => one.id !== id) })
      if (!isPublished(row.state)) drop(row)
      next()
    },
    clear() {
      const { rows } = state
      for (const { id } of rows) stop(id)
      set({ rows: [], refused: [], isParked: false })
      for (const row of rows) if (!isPublished(row.state)) drop(row)
    },
    /** Makes room for the next ones. */
    clearPublished: () => set({ rows: state.rows.filter((row) => !isPublished(row.state)), refused: [] }),
    convertingIds: () =>
      state.rows.flatMap((row) => (row.state === 'converting' && row.document ? [row.document.id] : [])),
    noteProgress(asked: readonly number[], found: readonly Progress[]) {
      for (const { id, document, state: now } of state.rows) {
        if (now !== 'converting' || !document || !asked.includes(document.id)) continue
        const progress = found.find((one) => one.id === document.id)
        if (!progress || !isConverting(progress)) move(id, 'finish', { document: progress ?? document })
        else note(id, { document: progress })
      }
    },
    isBusy: () => state.rows.some((row) => isBusy(row.state)),
  }
}

function newRow(id: number, file: File, left: Leftover | undefined): Row {
  return {
    id,
    file,
    ext: extOf(file.name),
    state: 'draft',
    category: [],
    title: left?.title ?? titleOf(file.name),
    keywords: '',
    description: '',
    language: undefined,
    price: undefined,
    read: 0,
    sent: left?.sent ?? 0,
    speed: 0,
    isWaiting: false,
    isInstant: false,
    error: '',
    kept: nothingKept,
    leftover: left,
    document: undefined,
  }
}

function gone(signal: AbortSignal): never {
  signal.throwIfAborted()
  throw new Error('the row is gone')
}

function wordsFor(error: unknown): string {
  const isMeantForPeople = error instanceof Error && ['ApiError', 'Unreadable'].includes(error.name)
  return isMeantForPeople ? error.message : '出错了，请重试'
}
