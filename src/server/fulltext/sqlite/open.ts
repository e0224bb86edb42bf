import { availableParallelism } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import type {
  FulltextIndex,
  IndexedEntry,
  Keywords,
  PageHits,
  SearchQuery,
  SearchResults,
  TitleSuggestion,
} from '../fulltext.ts'
import { hashToken } from '../text/token-hash.ts'
import { assertReadable, hasManySegments, indexes, inodeOf, type MergeStep, removeFile, withReadonly } from './file.ts'
import { listEntries } from './list-entries.ts'
import type { SentSearchQuery } from './reader.worker.ts'
import {
  type Callbacks,
  createWorkerClient,
  IndexCorrupted,
  type WorkerClient,
  WorkerExited,
  WorkerStopped,
} from './worker-client.ts'

export interface SqliteOptions {
  file: string
  /** The file of the site's database, on which visibility filters run. */
  site: string
  /** The file was damaged while in use: there is a new, empty one, to be filled again. */
  onEmptied: () => void
}

/** What crashes a worker may crash the next one too, until one reports that the file is damaged. */
const maxAttempts = 3
/** A visitor waits while a reader starts; only background jobs wait for the writer. */
const idleTimeoutMs = { writer: 15_000, reader: 600_000 }

/**
 * An index in a file of its own. SQLite blocks the thread that calls it, so it runs in worker processes: one writes, others
 * answer queries, and other requests of the server never wait for them.
 */
export function openSqliteFulltext({ file, site, onEmptied }: SqliteOptions): FulltextIndex {
  const createWorker = (script: string, timeoutMs: number) =>
    createWorkerClient({
      script: new URL(script, import.meta.url),
      workerData: { file, site },
      idleTimeoutMs: timeoutMs,
    })
  const writer = createWorker('./writer.worker.ts', idleTimeoutMs.writer)
  const readers = Array.from({ length: Math.max(1, Math.min(2, availableParallelism() - 1)) }, () =>
    createWorker('./reader.worker.ts', idleTimeoutMs.reader),
  )
  let prepared: Promise<void> | undefined
  let replacing: Promise<void> | undefined
  let inode = 0
  let isClosed = false

  const prepare = async (): Promise<void> => {
    // A readable file needs no writer process, for which the first query would have to wait.
    if (!withReadonly(file, assertReadable)) await writer.request('open', undefined)
    inode = inodeOf(file)
  }
  const replaceFile = async (): Promise<void> => {
    await stopWorkers()
    if (isClosed) return
    // Unless another process has already replaced it.
    if (inodeOf(file) === inode) removeFile(file)
    await prepare()
    onEmptied()
  }
  const stopWorkers = async () => void (await Promise.all([writer, ...readers].map((worker) => worker.stop())))
  /** Retries with a new worker if one exits, and with a new file if the index is corrupted. */
  const request = async (
    pick: () => WorkerClient,
    method: string,
    argument: unknown,
    callbacks?: Callbacks,
  ): Promise<unknown> => {
    await (prepared ??= prepare().catch(retryPreparation))
    for (let attemptsLeft = maxAttempts - 1; ; attemptsLeft--) {
      await replacing
      try {
        return await pick().request(method, argument, callbacks)
      } catch (error) {
        if (error instanceof IndexCorrupted) replacing ??= replaceFile().finally(() => (replacing = undefined))
        const isInterrupted = error instanceof WorkerStopped && replacing !== undefined
        const isRetryable = error instanceof IndexCorrupted || error instanceof WorkerExited || isInterrupted
        if (attemptsLeft === 0 || !isRetryable) throw error
      }
    }
  }
  const retryPreparation = (error: unknown): never => {
    prepared = undefined
    throw error
  }
  const write = async (method: string, argument?: unknown) => request(() => writer, method, argument)
  const read = (method: string, argument: unknown) => request(() => leastBusy(readers), method, argument)

  return {
    putMetadata: async (metadata) => void (await write('putMetadata', metadata)),
    putPages: async (pages) => void (await write('putPages', pages)),
    cutPages: async (cut) => void (await write('cutPages', cut)),
    remove: async (kind, ids) => void (await write('remove', { kind, ids })),
    empty: async () => void (await write('empty')),
    async optimize() {
      const fragmented = (database: DatabaseSync) => indexes.filter((index) => hasManySegments(database, index))
      for (const index of withReadonly(file, fragmented) ?? [])
        for (let isFirst = true; await write('merge', { index, isFirst } satisfies MergeStep);) isFirst = false
    },
    // Every start of the site compares what is indexed: if all is up to date, no worker has to start for that.
    list: async (kind, range) =>
      withReadonly(file, (database) => listEntries(database, kind, range)) ??
      ((await read('list', { kind, range })) as IndexedEntry[]),
    search: async ({ sortBy, previewPages, ...query }: SearchQuery) => {
      const callbacks = { ...(sortBy && { sortBy }), ...(previewPages && { previewPages }) }
      const sent = { ...query, callbacks: Object.keys(callbacks) } satisfies SentSearchQuery
      return (await request(() => stickyWorker(readers, query.words), 'search', sent, callbacks)) as SearchResults
    },
    find: async (query) => (await read('find', query)) as PageHits[],
    toPinyin: async (texts) => (await read('toPinyin', texts)) as string[],
    suggest: async (query) => (await read('suggest', query)) as TitleSuggestion[],
    similar: async (query) => (await read('similar', query)) as number[],
    keywords: async (query) => (await read('keywords', query)) as Keywords | undefined,
    async close() {
      isClosed = true
      await stopWorkers()
    },
  }
}

/** The same words go to the same reader, which has their results in its cache, unless that one is much busier. */
function stickyWorker(workers: readonly WorkerClient[], words: string): WorkerClient {
  const sticky = workers[Math.abs(hashToken(words)) % workers.length]
  const idle = leastBusy(workers)
  return sticky && sticky.busy() <= idle.busy() + 1 ? sticky : idle
}

function leastBusy(workers: readonly WorkerClient[]): WorkerClient {
  const [first, ...others] = workers
  if (!first) throw new Error('no search process')
  return others.reduce((best, worker) => (worker.busy() < best.busy() ? worker : best), first)
}
