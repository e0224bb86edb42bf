import { blockText, type Block, type Inline, type ReflowedPage } from '#shared/reflow.ts'

/** In characters: how far ahead of the last block the next one is looked for. */
const lookahead = 6000
/** In characters: enough to know a block by. */
const startLength = 32

/**
 * Distributes the blocks of a book over the pages that were made of it, by their text. Paragraphs are divided where a page
 * ends; what cannot be divided is on the page where it ends. So no page has text of a later one, and a preview shows no more
 * than its pages do. `texts` are those of the pages from the first one on.
 */
export function placeBlocks(blocks: readonly Block[], texts: readonly string[]): ReflowedPage[] {
  const stream = pageStream(texts)
  const pages = texts.map((_, index): ReflowedPage => ({ page: index + 1, blocks: [] }))
  const add = (page: number, block: Block) => pages[page - 1]?.blocks.push(block)
  /** Blocks that are not on any page, like those that a style hides: they wait for the next that is. */
  let waiting: Block[] = []
  let from = 0
  for (const block of blocks) {
    const letters = squeeze(blockText(block))
    const at = letters === '' ? -1 : stream.find(letters.slice(0, startLength), from)
    if (at === -1) {
      waiting.push(block)
      continue
    }
    const isWhole = stream.isAt(letters, at)
    const end = isWhole ? at + letters.length : Math.max(at + 1, stream.endOf(letters, at))
    const [first, last] = [stream.pageOf(at), stream.pageOf(end - 1)]
    for (const waited of waiting) add(first, waited)
    waiting = []
    if (first === last || !isWhole || block.kind !== 'paragraph') add(last, block)
    else for (const [page, part] of divide(block.content, at, stream.pageOf)) add(page, part)
    from = end
  }
  const last = texts.length
  for (const waited of waiting) add(last, waited)
  return pages
}

/** The letters of all pages in a row, and the page of each. */
function pageStream(texts: readonly string[]) {
  const squeezed = texts.map(squeeze)
  const ends: number[] = []
  for (const text of squeezed) ends.push((ends.at(-1) ?? 0) + text.length)
  const all = squeezed.join('')
  return {
    find(letters: string, from: number): number {
      const at = all.slice(from, from + lookahead).indexOf(letters)
      return at === -1 ? -1 : from + at
    },
    isAt: (letters: string, at: number) => all.startsWith(letters, at),
    /** Where a text ends that differs somewhere, as by the mark of a note: by its last letters, else as long as it is. */
    endOf(letters: string, at: number): number {
      const tail = letters.slice(-startLength)
      const found = all.slice(at, at + letters.length * 2 + lookahead).indexOf(tail, Math.max(0, letters.length - 200))
      return Math.min(all.length, at + (found === -1 ? letters.length + 200 : found + tail.length))
    },
    pageOf(at: number): number {
      let [low, high] = [0, ends.length - 1]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((ends[middle] ?? 0) > at) high = middle
        else low = middle + 1
      }
      return low + 1
    },
  }
}

/** Parts of a paragraph by their pages; `at` is where it begins in the stream. */
function divide(content: readonly Inline[], at: number, pageOf: (at: number) => number): [number, Block][] {
  const parts = new Map<number, Inline[]>()
  let position = at
  const take = (text: string): [page: number, text: string][] => {
    const pieces: [number, string][] = []
    for (const letter of text) {
      // A blank belongs to what stands before it.
      const page = isBlank(letter) ? (pieces.at(-1)?.[0] ?? pageOf(Math.max(at, position - 1))) : pageOf(position)
      const piece = pieces.at(-1)
      if (piece?.[0] === page) piece[1] += letter
      else pieces.push([page, letter])
      if (!isBlank(letter)) position += letter.length
    }
    return pieces
  }
  const walk = (inside: readonly Inline[], wrap: (text: Inline) => Inline): void => {
    for (const part of inside) {
      if (typeof part === 'string')
        for (const [page, text] of take(part)) parts.set(page, [...(parts.get(page) ?? []), wrap(text)])
      else walk(part.content, (text) => wrap({ mark: part.mark, content: [text] }))
    }
  }
  walk(content, (text) => text)
  return [...parts].map(([page, inside], index) => [
    page,
    { kind: 'paragraph', content: inside, ...(index > 0 && { joined: '' as const }) },
  ])
}

function squeeze(text: string): string {
  return text.replace(blanks, '')
}

/** Also what the text layer leaves out. */
const blanks = /[\s\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Cc}]+/gu

function isBlank(letter: string): boolean {
  return letter.replace(blanks, '') === ''
}
