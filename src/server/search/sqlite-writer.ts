import { workerData } from 'node:worker_threads'
import type { Entry, Head, Kind, Pages } from './search.ts'
import { isDamage, type MergeStep, prepareFile, sameFile } from './sqlite-file.ts'
import { spellingOf } from './spelling.ts'
import { sqliteWrites } from './sqlite-write.ts'
import { serveCalls, stepBack } from './thread-side.ts'

/** The thread that writes: what has gathered while it was busy is written in one transaction. */

const { file } = workerData as { file: string }
const database = prepareFile(file)
const writes = sqliteWrites(database)
const check = sameFile(file)

interface Waiting {
  work: () => unknown
  resolve(value: unknown): void
  reject(error: unknown): void
}

let waiting: Waiting[] = []

const methods: Record<string, (argument: never) => unknown> = {
  open: () => undefined,
  putHead: (head: Head & { spelling: string }) => writes.putHead(head),
  putPages: (pages: Pages) => writes.putPages(pages),
  cutPages: (cut: Entry & { after: number }) => writes.cutPages(cut),
  remove: ({ kind, ids }: { kind: Kind; ids: number[] }) => writes.remove(kind, ids),
  empty: () => writes.empty(),
  merge: (step: MergeStep) => writes.merge(step),
}

function later(work: () => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    waiting.push({ work, resolve, reject })
    if (waiting.length === 1) setImmediate(writeAll)
  })
}

function writeAll(): void {
  const gathered = waiting
  waiting = []
  try {
    settle(
      gathered,
      together(() => gathered.map(({ work }) => work())),
    )
  } catch {
    // One of them is to blame; alone, only that one fails.
    for (const one of gathered) {
      try {
        settle(
          [one],
          together(() => [one.work()]),
        )
      } catch (error) {
        one.reject(error)
      }
    }
  }
}

async function spelled(head: Head): Promise<Head & { spelling: string }> {
  return { ...head, spelling: await spellingOf(head.title) }
}

function settle(done: Waiting[], values: unknown[]): void {
  for (const [index, { resolve }] of done.entries()) resolve(values[index])
}

function together<T>(work: () => T): T {
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

stepBack(10)
serveCalls(async (method, argument) => {
  const complete = method === 'putHead' ? await spelled(argument as Head) : argument
  return later(() => methods[method]?.(complete as never))
}, isDamage)
