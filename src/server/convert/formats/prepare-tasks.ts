import type { ByteReader } from '../archives/bytes.ts'
import { Unconvertible } from '../converter.ts'

export interface TaskInput {
  input: ByteReader
  /** The path of the result. */
  target: string
  extraFolder: string
}

export type Task =
  | 'text'
  | 'markdown'
  | 'umd'
  | 'chm'
  | 'epub'
  | 'csv'
  | 'tsv'
  | 'xlsx'
  | 'tables'
  | 'blocks'
  | 'mobi-blocks'
  | 'csv-cells'
  | 'tsv-cells'
  | 'ods-cells'

const maxTextBytes = 64e6
const maxMarkdownBytes = 16e6
const maxTableBytes = 32e6

/** What the prepare worker can do. Each task loads its own modules, which keeps the start of the process short. */
export const tasks: Record<Task, (task: TaskInput) => Promise<void>> = {
  text: async ({ input, target }) => {
    const [{ writeEpub }, { splitChapters }] = await Promise.all([import('./epub.ts'), import('./text.ts')])
    const text = await readDecoded(input, maxTextBytes)
    if (!/\S/.test(text)) throw new Unconvertible('empty', 'text')
    await writeEpub(target, { title: '', author: '', chapters: splitChapters(text) })
  },
  markdown: async ({ input, target }) => {
    const [{ writeEpub }, { markdownToChapters }] = await Promise.all([import('./epub.ts'), import('./markdown.ts')])
    const text = await readDecoded(input, maxMarkdownBytes)
    if (!/\S/.test(text)) throw new Unconvertible('empty', 'markdown')
    await writeEpub(target, { title: '', author: '', chapters: markdownToChapters(text) })
  },
  umd: async ({ input, target }) => {
    const [{ writeEpub }, { readUmd }] = await Promise.all([import('./epub.ts'), import('./umd.ts')])
    await writeEpub(target, readUmd(await readAll(input, maxTextBytes)))
  },
  /** The extra folder holds the unpacked file. */
  chm: async ({ target, extraFolder }) => {
    const { chmPagesToEpub } = await import('./chm-pages.ts')
    await chmPagesToEpub(extraFolder, target)
  },
  /** Repacks an EPUB whose content lies in a wrapper folder. */
  epub: async ({ input, target }) => {
    const [{ findWrapperFolder }, { repackZip }, { readZip }] = await Promise.all([
      import('./epub-check.ts'),
      import('../archives/zip-repack.ts'),
      import('../archives/zip.ts'),
    ])
    const wrapper = findWrapperFolder(await readZip(input))
    await repackZip(input, target, {
      rename: (name) => (name.startsWith(wrapper) ? name.slice(wrapper.length) : undefined),
    })
  },
  /** The text of an EPUB with its structure, as JSON. */
  blocks: async ({ input, target }) => {
    const { writeEpubBlocks } = await import('./blocks/epub-blocks.ts')
    await writeEpubBlocks(input, target)
  },
  'mobi-blocks': async ({ input, target }) => {
    const { writeMobiBlocks } = await import('./blocks/mobi-blocks.ts')
    await writeMobiBlocks(input, target)
  },
  csv: async ({ input, target }) => {
    const { csvToXlsx, detectSeparator } = await import('./csv.ts')
    const text = await readDecoded(input, maxTableBytes)
    await csvToXlsx(target, text, detectSeparator(text))
  },
  tsv: async ({ input, target }) => {
    const { csvToXlsx } = await import('./csv.ts')
    await csvToXlsx(target, await readDecoded(input, maxTableBytes), '\t')
  },
  xlsx: async ({ input, target }) => {
    const { fitSheets } = await import('./sheet-pages.ts')
    await fitSheets(input, target)
  },
  /** The cells, for the table view. */
  'csv-cells': async ({ input, target }) => {
    const { detectSeparator, writeCsvTable } = await import('./csv.ts')
    const text = await readDecoded(input, maxTableBytes)
    await writeCsvTable(target, text, detectSeparator(text))
  },
  'tsv-cells': async ({ input, target }) => {
    const { writeCsvTable } = await import('./csv.ts')
    await writeCsvTable(target, await readDecoded(input, maxTableBytes), '\t')
  },
  'ods-cells': async ({ input, target }) => {
    const [{ readOdsTable }, { writeTable }] = await Promise.all([
      import('../tables/ods-table.ts'),
      import('../tables/table-writer.ts'),
    ])
    await writeTable(target, (writer) => readOdsTable(input, writer))
  },
  /** Checks a document; there is no result. */
  tables: async ({ input }) => {
    const { assertLongTableDepth } = await import('../office/check.ts')
    await assertLongTableDepth(input)
  },
}

export function isTask(word: string): word is Task {
  return Object.hasOwn(tasks, word)
}

async function readDecoded(input: ByteReader, maxBytes: number): Promise<string> {
  const { decodeText } = await import('./decode-text.ts')
  return decodeText(await readAll(input, maxBytes)).text
}

async function readAll(input: ByteReader, maxBytes: number): Promise<Buffer> {
  if (input.size > maxBytes) throw new Unconvertible('tooLarge', `${input.size} bytes`)
  return input.read(0, input.size)
}
