import { blockText, type Block, type Inline, type ReflowedPage } from '#shared/reflow.ts'

/** In characters: how far ahead of the last block the next one is looked for, and how much text may wait to be placed. */
const lookahead = 6000
/** In characters: enough to know a block by. */
const startLength = 32
/** Shorter texts are repeated so often that they do not tell where they are. */
const minAnchorLength = 10

/** In characters: what pages may show inside a text beside it, if the text is short. */
const maxInserted = 200

interface Waiting {
  block: Block
  /** Letters up to the end of the block, since the last one that was found. */
  letters: number
}

/**
 * Distributes the blocks of a book over the pages that were made of it, by their text. Paragraphs are divided where a page
 * ends; what cannot be divided is on the page where it ends, and what is not found on the last one it can be on. So no page
 * has text of a later one, and a preview shows no more than its pages do. Undefined if too much of the text is not found, as
 * of a book full of ruby: its readings are on the pages and not in the blocks. `texts` are those of the pages from the first
 * one on.
 */
export function placeBlocks(blocks: readonly Block[], texts: readonly string[]): ReflowedPage[] | undefined {
  const stream = pageStream(texts)
  const pages = texts.map((_, index): ReflowedPage => ({ page: index + 1, blocks: [] }))
  const add = (page: number, block: Block) => pages[page - 1]?.blocks.push(block)
  let waiting: Waiting[] = []
  let waitingText = ''
  let from = 0
  for (const block of blocks) {
    const letters = squeeze(blockText(block))
    const found = stream.locate(letters, { from, waitingText })
    if (!found) {
      waitingText += letters
      if (waitingText.length > lookahead) return undefined
      waiting.push({ block, letters: waitingText.length })
      continue
    }
    const { at, end, isWhole } = found
    const [first, last] = [stream.pageOf(at), stream.pageOf(end - 1)]
    for (const waited of waiting) add(Math.max(first, stream.pageOf(from + waited.letters - 1)), waited.block)
    waiting = []
    waitingText = ''
    if (first === last || !isWhole || block.kind !== 'paragraph') add(last, block)
    else for (const [page, part] of divide(block.content, at, stream.pageOf)) add(page, part)
    from = end
  }
  const last = texts.length
  for (const waited of waiting) add(last, waited.block)
  return pages
}

interface Located {
  at: number
  end: number
  /** Else there is more text on the pages, as the mark of a note. */
  isWhole: boolean
}

/** The letters of all pages in a row, and the page of each. */
function pageStream(texts: readonly string[]) {
  const squeezed = texts.map(squeeze)
  const ends: number[] = []
  for (const text of squeezed) ends.push((ends.at(-1) ?? 0) + text.length)
  const all = squeezed.join('')
  return {
    /** `waitingText` stands before the letters in the book, and was not found behind `from`. */
    locate(letters: string, { from, waitingText }: { from: number; waitingText: string }): Located | undefined {
      const follows = letters !== '' && waitingText === '' && all.startsWith(letters, from)
      if (follows) return { at: from, end: from + letters.length, isWhole: true }
      if (letters.length < minAnchorLength) return undefined
      const ahead = all.slice(from, from + waitingText.length + lookahead + letters.length)
      const whole = ahead.indexOf(letters)
      // A text that also stands in what waits may have been found there.
      if (whole !== -1 && !waitingText.includes(letters))
        return { at: from + whole, end: from + whole + letters.length, isWhole: true }
      const [start, tail] = [letters.slice(0, startLength), letters.slice(-startLength)]
      if (whole !== -1 || waitingText.includes(start)) return undefined
      if (letters.indexOf(tail) !== letters.length - tail.length) return undefined
      const at = ahead.indexOf(start)
      if (at === -1) return undefined
      const rest = all.slice(from + at, from + at + letters.length * 3 + maxInserted)
      const tailAt = rest.indexOf(tail, letters.length - tail.length)
      return tailAt === -1 ? undefined : { at: from + at, end: from + at + tailAt + tail.length, isWhole: false }
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
