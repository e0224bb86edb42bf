import { availableParallelism } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import type { Answer, Known, PageHits, Question, Search, Suggested } from '../fulltext.ts'
import { glance, identityOf, indexes, isInParts, type MergeStep, probed, removeFile } from './file.ts'
import { listKnown } from './list.ts'
import { hashOf } from '../text/token-hash.ts'
import { type Asked, Damaged, Ended, type Helper, startProcess, Stopped } from './worker-client.ts'

export interface SqliteOptions {
  file: string
  /** The site's own database, where what is found is put to who asks. */
  site?: string
  /** The file was damaged while in use: there is a new, empty one, to be filled again. */
  onEmptied: () => void
}

/** What breaks a process may also break the next, which may then tell that the file is damaged. */
const mostTries = 3
/** Nobody waits for a write; who searches does, if a process has to start. */
const rest = { writer: 15_000, reader: 600_000 }

/**
 * An index in a file of its own. SQLite works where it is called, so all of it is called in processes of its own: one writes,
 * others answer, and requests of other kinds never wait for them.
 */
export function openSqliteSearch({ file, site, onEmptied }: SqliteOptions): Search {
  const start = (script: string, restMs: number) =>
    startProcess({ script: new URL(script, import.meta.url), given: { file, site }, restMs })
  const writer = start('./writer.worker.ts', rest.writer)
  const readers = Array.from({ length: Math.max(1, Math.min(2, availableParallelism() - 1)) }, () =>
    start('./reader.worker.ts', rest.reader),
  )
  /** Somebody has looked at the file, or the writer made it. Helpers start with the first call: many processes never search. */
  let ready: Promise<void> | undefined
  let renewal: Promise<void> | undefined
  let opened = 0
  let isClosed = false

  const prepare = async (): Promise<void> => {
    // Whoever comes first waits for one process less where the file is there.
    if (!glance(file, probed)) await writer.call('open', undefined)
    opened = identityOf(file)
  }
  const renew = async (): Promise<void> => {
    await stop()
    if (isClosed) return
    // Unless another process has already made it anew.
    if (identityOf(file) === opened) removeFile(file)
    await prepare()
    onEmptied()
  }
  const stop = async () => void (await Promise.all([writer, ...readers].map((helper) => helper.stop())))
  /** Once more with a new process, or with a new file if the old one is damaged; so are calls that a renewal has cut off. */
  const call = async (pick: () => Helper, method: string, argument: unknown, asked?: Asked): Promise<unknown> => {
    await (ready ??= prepare().catch(unready))
    for (let left = mostTries - 1; ; left--) {
      await renewal
      try {
        return await pick().call(method, argument, asked)
      } catch (error) {
        if (error instanceof Damaged) renewal ??= renew().finally(() => (renewal = undefined))
        const isCutOff = error instanceof Stopped && renewal !== undefined
        if (left === 0 || !(error instanceof Damaged || error instanceof Ended || isCutOff)) throw error
      }
    }
  }
  const unready = (error: unknown): never => {
    ready = undefined
    throw error
  }
  const write = async (method: string, argument?: unknown) => call(() => writer, method, argument)
  const read = (method: string, argument: unknown, asked?: Asked, words?: string) =>
    call(() => (words === undefined ? idlest(readers) : whoKnows(readers, words)), method, argument, asked)

  return {
    putHead: async (head) => void (await write('putHead', head)),
    putPages: async (pages) => void (await write('putPages', pages)),
    cutPages: async (cut) => void (await write('cutPages', cut)),
    remove: async (kind, ids) => void (await write('remove', { kind, ids })),
    empty: async () => void (await write('empty')),
    async settle() {
      const isApart = (database: DatabaseSync) => indexes.filter((index) => isInParts(database, index))
      for (const index of glance(file, isApart) ?? [])
        for (let isFirst = true; await write('merge', { index, isFirst } satisfies MergeStep);) isFirst = false
    },
    // What is compared at each start: where all is filed already, no process has to start for it.
    list: async (kind, range) =>
      glance(file, (database) => listKnown(database, kind, range)) ??
      ((await read('list', { kind, range })) as Known[]),
    search: async ({ accept, arrange, lastPages, ...question }: Question) => {
      const asked = { accept, ...(arrange && { arrange }), ...(lastPages && { lastPages }) }
      const { statement } = accept
      const argument = { ...question, statement, asks: Object.keys(asked) }
      return (await read('search', argument, asked, question.words)) as Answer
    },
    find: async (question) => (await read('find', question)) as PageHits[],
    spell: async (texts) => (await read('spell', texts)) as string[],
    suggest: async ({ accept, ...question }) =>
      (await read('suggest', { ...question, statement: accept.statement }, { accept })) as Suggested[],
    similar: async ({ accept, ...question }) =>
      (await read('similar', { ...question, statement: accept.statement }, { accept })) as number[],
    async close() {
      isClosed = true
      await stop()
    },
  }
}

/** The same words are put to the same one, which remembers what it found; but nobody waits behind a crowd for that. */
function whoKnows(helpers: readonly Helper[], words: string): Helper {
  const knowing = helpers[Math.abs(hashOf(words)) % helpers.length]
  const idle = idlest(helpers)
  return knowing && knowing.busy() <= idle.busy() + 1 ? knowing : idle
}

function idlest(helpers: readonly Helper[]): Helper {
  const [first, ...others] = helpers
  if (!first) throw new Error('no process to ask')
  return others.reduce((best, helper) => (helper.busy() < best.busy() ? helper : best), first)
}
