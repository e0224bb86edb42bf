import type { DatabaseSync } from 'node:sqlite'
import type { Entry, EntryKind, Metadata, Pages } from '../fulltext.ts'
import { toPinyin } from '../text/pinyin.ts'
import { assertSameFile, isCorruption, type MergeStep, prepareFile } from './file.ts'
import { serveRequests } from './worker-server.ts'
import { type MetadataWithPinyin, sqliteWriter, type Writer } from './write.ts'

/** The process that writes: requests that arrive while it is busy share one transaction (group commit). */

interface QueuedWrite {
  write: (writer: Writer) => unknown
  resolve(value: unknown): void
  reject(error: unknown): void
}

const methods: Record<string, (writer: Writer, argument: never) => unknown> = {
  open: () => undefined,
  putMetadata: (writer, metadata: MetadataWithPinyin) => writer.putMetadata(metadata),
  putPages: (writer, pages: Pages) => writer.putPages(pages),
  cutPages: (writer, cut: Entry & { after: number }) => writer.cutPages(cut),
  remove: (writer, { kind, ids }: { kind: EntryKind; ids: number[] }) => writer.remove(kind, ids),
  empty: (writer) => writer.empty(),
  merge: (writer, step: MergeStep) => writer.merge(step),
}

serveRequests({
  niceness: 10,
  isCorruption,
  start({ file }: { file: string }) {
    const database = prepareFile(file)
    const enqueue = groupCommit(database, assertSameFile(file))
    return {
      async handle(method, argument) {
        const complete = method === 'putMetadata' ? await withPinyin(argument as Metadata) : argument
        return enqueue((writer) => methods[method]?.(writer, complete as never))
      },
      close: () => database.close(),
    }
  },
})

function groupCommit(
  database: DatabaseSync,
  assertFile: () => void,
): (write: QueuedWrite['write']) => Promise<unknown> {
  const writer = sqliteWriter(database)
  let queue: QueuedWrite[] = []

  const inTransaction = <T>(work: () => T): T => {
    assertFile()
    database.exec('begin immediate')
    try {
      const value = work()
      writer.beforeCommit()
      database.exec('commit')
      return value
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      writer.afterRollback()
      throw error
    }
  }
  const commit = (group: readonly QueuedWrite[]) => {
    const values = inTransaction(() => group.map(({ write }) => write(writer)))
    for (const [index, { resolve }] of group.entries()) resolve(values[index])
  }
  const commitQueue = () => {
    const group = queue
    queue = []
    try {
      commit(group)
    } catch {
      // Each on its own, so that only the one that caused it fails.
      for (const queued of group) {
        try {
          commit([queued])
        } catch (error) {
          queued.reject(error)
        }
      }
    }
  }
  return (write) =>
    new Promise((resolve, reject) => {
      queue.push({ write, resolve, reject })
      if (queue.length === 1) setImmediate(commitQueue)
    })
}

async function withPinyin(metadata: Metadata): Promise<MetadataWithPinyin> {
  return { ...metadata, pinyin: await toPinyin(metadata.title) }
}
