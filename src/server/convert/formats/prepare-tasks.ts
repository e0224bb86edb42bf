import type { Bytes } from '../archives/bytes.ts'
import { Unconvertible } from '../converter.ts'

export interface Given {
  input: Bytes
  target: string
  more: string
}

export type Task = 'text' | 'umd' | 'chm' | 'epub' | 'csv' | 'tsv' | 'xlsx' | 'tables'

const textLimit = 64e6
const tableLimit = 32e6

/** What is done in a process of its own; each loads only what it needs, so that it begins at once. */
export const tasks: Record<Task, (given: Given) => Promise<void>> = {
  text: async ({ input, target }) => {
    const [{ writeEpub }, { chaptersOf }] = await Promise.all([import('./epub.ts'), import('./text.ts')])
    const text = await decoded(input, textLimit)
    if (!/\S/.test(text)) throw new Unconvertible('empty', 'text')
    await writeEpub(target, { title: '', author: '', chapters: chaptersOf(text) })
  },
  umd: async ({ input, target }) => {
    const [{ writeEpub }, { readUmd }] = await Promise.all([import('./epub.ts'), import('./umd.ts')])
    await writeEpub(target, readUmd(await whole(input, textLimit)))
  },
  /** The folder holds what was unpacked. */
  chm: async ({ target, more }) => {
    const { bookOfPages } = await import('./chm-pages.ts')
    await bookOfPages(more, target)
  },
  /** Somebody packed the folder around the book. */
  epub: async ({ input, target }) => {
    const [{ wrapperOf }, { repackZip }, { readZip }] = await Promise.all([
      import('./epub-check.ts'),
      import('../archives/zip-repack.ts'),
      import('../archives/zip.ts'),
    ])
    const wrapper = wrapperOf(await readZip(input))
    await repackZip(input, target, {
      name: (name) => (name.startsWith(wrapper) ? name.slice(wrapper.length) : undefined),
    })
  },
  csv: async ({ input, target }) => {
    const { csvToXlsx, separatorOf } = await import('./csv.ts')
    const text = await decoded(input, tableLimit)
    await csvToXlsx(target, text, separatorOf(text))
  },
  tsv: async ({ input, target }) => {
    const { csvToXlsx } = await import('./csv.ts')
    await csvToXlsx(target, await decoded(input, tableLimit), '\t')
  },
  xlsx: async ({ input, target }) => {
    const { fitSheets } = await import('./sheet-pages.ts')
    await fitSheets(input, target)
  },
  tables: async ({ input }) => {
    const { checkLongTables } = await import('../office/check.ts')
    await checkLongTables(input)
  },
}

export function isTask(word: string): word is Task {
  return Object.hasOwn(tasks, word)
}

async function decoded(input: Bytes, limit: number): Promise<string> {
  const { decodeText } = await import('./decode-text.ts')
  return decodeText(await whole(input, limit)).text
}

async function whole(input: Bytes, limit: number): Promise<Buffer> {
  if (input.size > limit) throw new Unconvertible('tooLarge', `${input.size} bytes`)
  return input.read(0, input.size)
}
