import type { Progress } from '#shared/contract/documents.ts'
import { getExt, toTitle } from '#shared/document-kinds.ts'
import { awaitsPages, DocumentStatus } from '#shared/document-status.ts'
import { ApiError } from '#shared/errors.ts'
import { filterFiles, type RejectedFile, type UploadRules } from '#web/features/documents/upload/acceptance.ts'
import {
  type DocumentFields,
  emptyServerState,
  type UploadDefaults,
  type UploadItem,
} from '#web/features/documents/upload/row.ts'
import { isBusy, isEditable, isPublished, nextState, type RowEvent } from '#web/features/documents/upload/row-state.ts'
import { UnreadableFile } from '#web/features/documents/upload/transfer/hashing.ts'
import { SessionExpired } from '#web/features/documents/upload/transfer/retry-until-online.ts'
import { findUnfinished, type UnfinishedUpload } from '#web/features/documents/upload/transfer/unfinished-uploads.ts'
import type { UploadJob } from '#web/features/documents/upload/transfer/upload-file.ts'
import { everyone } from '#web/features/documents/visibility/audience.ts'
import { createStore } from '#web/lib/store.ts'

export interface QueueState {
  rows: readonly UploadItem[]
  rejected: readonly RejectedFile[]
  defaults: UploadDefaults
  /** The session expired while files were uploading. */
  isSuspended: boolean
}

interface QueueOptions {
  upload: (job: UploadJob) => Promise<void>
  /** Called when a document has been published. */
  onPublished: () => void
  /** Gives up what the server has of a removed file. */
  abandon: (row: UploadItem) => void
  /** The title in a file's own metadata; empty for none. */
  readTitle?: (file: File, ext: string) => Promise<string>
}

const concurrency = 2
/** Byte counts change many times a second: listeners hear of them no more often than this. */
const throttleMs = 120
const initial: QueueState = {
  rows: [],
  rejected: [],
  defaults: {
    category: [],
    owner: { name: '', id: 0 },
    language: '',
    price: '0',
    audience: everyone,
    hasDetails: false,
  },
  isSuspended: false,
}

/** Uploads the files of this window, two at a time. */
export function createQueue({ upload, onPublished, abandon, readTitle }: QueueOptions) {
  const store = createStore(() => initial)
  const running = new Map<number, AbortController>()
  let lastId = 0
  /** The state with changes that listeners have not heard of yet. */
  let state = initial
  let throttled: ReturnType<typeof setTimeout> | undefined

  const publish = () => {
    clearTimeout(throttled)
    throttled = undefined
    store.set(state)
  }
  const set = (change: Partial<QueueState>) => {
    state = { ...state, ...change }
    publish()
  }
  const find = (id: number) => state.rows.find((row) => row.id === id)
  const withChange = (id: number, change: Partial<UploadItem>) =>
    state.rows.map((row) => (row.id === id ? { ...row, ...change } : row))
  const updateThrottled = (id: number, change: Partial<UploadItem>) => {
    state = { ...state, rows: withChange(id, change) }
    throttled ??= setTimeout(publish, throttleMs)
  }
  const transition = (id: number, event: RowEvent, change: Partial<UploadItem> = {}): boolean => {
    const row = find(id)
    const next = row && nextState(row.state, event)
    if (!next) return false
    set({ rows: withChange(id, { isReconnecting: false, ...change, state: next }) })
    return true
  }

  const suspend = () => {
    for (const row of state.rows) if (isBusy(row.state)) stop(row.id, 'suspend')
    set({ isSuspended: true })
  }
  const stop = (id: number, event?: RowEvent) => {
    running.get(id)?.abort()
    running.delete(id)
    if (event) transition(id, event)
  }

  const run = async (id: number) => {
    const controller = new AbortController()
    const { signal } = controller
    running.set(id, controller)
    const job: UploadJob = {
      row: () => find(id) ?? failRemoved(signal),
      transition: (event, change) => {
        signal.throwIfAborted()
        if (!transition(id, event, change)) throw new Error(`no transition for ${event}`)
      },
      update: (change) => signal.aborted || updateThrottled(id, change),
      signal,
    }
    try {
      await upload(job)
      onPublished()
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof SessionExpired) return suspend()
      transition(id, 'fail', { error: describeProblem(error) })
    } finally {
      if (running.get(id) === controller) running.delete(id)
      runNext()
    }
  }
  const runNext = () => {
    const free = concurrency - running.size
    const waiting = state.rows.filter((row) => row.state === 'waiting' && !running.has(row.id)).slice(0, free)
    for (const { id } of waiting) void run(id)
  }

  /** One after the other: a folder may have a thousand files. What the member has typed stays. */
  const readTitles = async (rows: readonly UploadItem[]) => {
    if (!readTitle) return
    for (const { id, file, ext } of rows) {
      const title = await readTitle(file, ext)
      const row = find(id)
      if (title !== '' && row?.titleSource === 'file-name' && isEditable(row.state) && title !== row.title)
        set({ rows: withChange(id, { title, titleSource: 'metadata' }) })
    }
  }

  return {
    state: store.get,
    subscribe: store.subscribe,
    add(
      files: readonly File[],
      { rules, unfinished }: { rules: UploadRules; unfinished: readonly UnfinishedUpload[] },
    ) {
      const { accepted, rejected } = filterFiles(files, { rules, listed: state.rows.map(({ file }) => file) })
      const rows = accepted.map((file) => createRow((lastId += 1), file, findUnfinished(unfinished, file)))
      set({ rows: [...state.rows, ...rows], rejected })
      void readTitles(rows)
    },
    edit: (id: number, change: Partial<DocumentFields>) =>
      set({ rows: withChange(id, { ...change, ...(change.title !== undefined && { titleSource: 'member' }) }) }),
    setDefaults: (change: Partial<UploadDefaults>) => set({ defaults: { ...state.defaults, ...change } }),
    dismissRejected: () => set({ rejected: [] }),
    /** Starts all files that can be started, with the current defaults. */
    start() {
      const { category, owner, language, price, audience } = state.defaults
      const rows = state.rows.map((row) => {
        const next = nextState(row.state, 'start')
        if (!next) return row
        return {
          ...row,
          state: next,
          error: '',
          category: row.ownCategory ?? category,
          owner: owner.id,
          audience,
          language: row.language ?? language,
          price: row.price ?? price,
        }
      })
      set({ rows, isSuspended: false })
      runNext()
    },
    retry(id: number) {
      // The category, the owner or the groups may be the reason of the failure.
      const { owner, audience } = state.defaults
      const category = find(id)?.ownCategory ?? state.defaults.category
      const change = { error: '', owner: owner.id, audience, ...(category.length > 0 && { category }) }
      if (transition(id, 'retry', change)) runNext()
    },
    remove(id: number) {
      const row = find(id)
      if (!row || row.state === 'publishing') return
      stop(id)
      set({ rows: state.rows.filter((other) => other.id !== id) })
      if (!isPublished(row.state)) abandon(row)
      runNext()
    },
    clear() {
      const { rows } = state
      for (const { id } of rows) stop(id)
      set({ rows: [], rejected: [], isSuspended: false })
      for (const row of rows) if (!isPublished(row.state)) abandon(row)
    },
    clearPublished: () => set({ rows: state.rows.filter((row) => !isPublished(row.state)), rejected: [] }),
    convertingIds: () =>
      state.rows.flatMap((row) => (row.state === 'converting' && row.document ? [row.document.id] : [])),
    /** A document without progress has been deleted. */
    updateProgress(ids: readonly number[], latest: readonly Progress[]) {
      for (const { id, document, state: rowState } of state.rows) {
        if (rowState !== 'converting' || !document || !ids.includes(document.id)) continue
        const progress = latest.find((item) => item.id === document.id)
        if (!progress) transition(id, 'finish', { isDeleted: true })
        else if (!awaitsPages(progress)) transition(id, 'finish', { document: progress })
        else updateThrottled(id, { document: progress })
      }
    },
    /** Publishes what the member has published before all the same. */
    publishAgain(id: number) {
      if (transition(id, 'again', { isAgain: true })) runNext()
    },
    /** It has got another file in place of one that could not be converted. */
    followAgain(id: number) {
      const document = find(id)?.document
      if (document && transition(id, 'replaced', { document: { ...document, status: DocumentStatus.Pending } }))
        onPublished()
    },
    isBusy: () => state.rows.some((row) => isBusy(row.state)),
  }
}

function createRow(id: number, file: File, unfinished: UnfinishedUpload | undefined): UploadItem {
  return {
    id,
    file,
    ext: getExt(file.name),
    state: 'draft',
    titleSource: unfinished ? 'member' : 'file-name',
    ownCategory: undefined,
    category: [],
    owner: 0,
    audience: everyone,
    title: unfinished?.title ?? toTitle(file.name),
    keywords: '',
    description: '',
    language: undefined,
    price: undefined,
    read: 0,
    sent: unfinished?.sent ?? 0,
    speed: 0,
    isReconnecting: false,
    isInstant: false,
    error: '',
    server: emptyServerState,
    unfinished,
    duplicate: undefined,
    isAgain: false,
    isDeleted: false,
    document: undefined,
  }
}

function failRemoved(signal: AbortSignal): never {
  signal.throwIfAborted()
  throw new Error('the row was removed')
}

function describeProblem(error: unknown): string {
  return error instanceof ApiError || error instanceof UnreadableFile ? error.message : '出错了，请重试'
}
