import type { DatabaseSync } from 'node:sqlite'
import { serveCalls } from './worker-side.ts'
import type { Entry, Head, Kind, Pages } from '../fulltext.ts'
import { isDamage, type MergeStep, prepareFile, sameFile } from './file.ts'
import { spellingOf } from '../text/spelling.ts'
import { sqliteWrites, type Writes } from './write.ts'

/** The process that writes: what has gathered while it was busy is written in one transaction. */

interface Waiting {
  work: (writes: Writes) => unknown
  resolve(value: unknown): void
  reject(error: unknown): void
}

const methods: Record<string, (writes: Writes, argument: never) => unknown> = {
  open: () => undefined,
  putHead: (writes, head: Head & { spelling: string }) => writes.putHead(head),
  putPages: (writes, pages: Pages) => writes.putPages(pages),
  cutPages: (writes, cut: Entry & { after: number }) => writes.cutPages(cut),
  remove: (writes, { kind, ids }: { kind: Kind; ids: number[] }) => writes.remove(kind, ids),
  empty: (writes) => writes.empty(),
  merge: (writes, step: MergeStep) => writes.merge(step),
}

serveCalls({
  stepsBack: 10,
  isDamage,
  begin({ file }: { file: string }) {
    const database = prepareFile(file)
    const later = gathering(database, sameFile(file))
    return {
      async answer(method, argument) {
        const complete = method === 'putHead' ? await spelled(argument as Head) : argument
        return later((writes) => methods[method]?.(writes, complete as never))
      },
      close: () => database.close(),
    }
  },
})

function gathering(database: DatabaseSync, check: () => void): (work: Waiting['work']) => Promise<unknown> {
  const writes = sqliteWrites(database)
  let waiting: Waiting[] = []

  const together = <T>(work: () => T): T => {
    check()
    database.exec('begin immediate')
    try {
      const value = work()
      writes.finish()
      database.exec('commit')
      return value
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      writes.forget()
      throw error
    }
  }
  const write = (some: readonly Waiting[]) => {
    const values = together(() => some.map(({ work }) => work(writes)))
    for (const [index, { resolve }] of some.entries()) resolve(values[index])
  }
  const writeAll = () => {
    const gathered = waiting
    waiting = []
    try {
      write(gathered)
    } catch {
      // One of them is to blame; alone, only that one fails.
      for (const one of gathered) {
        try {
          write([one])
        } catch (error) {
          one.reject(error)
        }
      }
    }
  }
  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject })
      if (waiting.length === 1) setImmediate(writeAll)
    })
}

async function spelled(head: Head): Promise<Head & { spelling: string }> {
  return { ...head, spelling: await spellingOf(head.title) }
}
