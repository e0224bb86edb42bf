import { textOf, type PageLine } from '#web/features/documents/reader/notes/anchor.ts'
import type { Selected } from '#web/features/documents/reader/notes/page-text.ts'
import { pageTextAddress } from '#web/features/documents/reader/pages/addresses.ts'
import { findSamePlace, lettersOf, readLetters, type Letters } from '#web/features/documents/reader/reflow/letters.ts'
import type { PageQuote } from '#web/features/documents/reader/reflow/text-ranges.ts'
import { readPageText } from '#web/features/documents/reader/text/text-lines.ts'

/** The lines of a page, where highlights are stored, and the same text in the text view. */
export interface PageLines {
  lines: readonly PageLine[]
  letters: Letters<{ line: number; char: number }>
}

/** Undefined when they cannot be loaded. */
export async function loadLines(hash: string, page: number): Promise<PageLines | undefined> {
  try {
    const response = await fetch(pageTextAddress(hash, page))
    const text = response.ok ? readPageText(await response.json()) : undefined
    return text && toPageLines(text.lines.map((line, index) => ({ line: index, text: line[4] })))
  } catch {
    return undefined
  }
}

export function toPageLines(lines: readonly PageLine[]): PageLines {
  const sources = lines.map(({ line, text }) => ({ text, placeAt: (char: number) => ({ line, char }) }))
  return { lines, letters: readLetters(sources) }
}

/** Until it is known which lines of the page a quotation is in: the pages look for its words. */
const unknownLines = { start_line: 0, start_char: 0, end_line: 0, end_char: 0 }

/** As if it had been selected on the page. */
export function toSelected(quote: PageQuote, pageLines: PageLines | undefined): Selected {
  const { page, letters: text, start, length } = quote
  const at = pageLines && findSamePlace({ text, start, length }, pageLines.letters.text)
  const [first, last] =
    at === undefined ? [] : [pageLines?.letters.places[at], pageLines?.letters.places[at + length - 1]]
  if (!pageLines || !first || !last) return { page, quote: quote.quote, ...unknownLines }
  const range = { start_line: first.line, start_char: first.char, end_line: last.line, end_char: last.char + 1 }
  return { page, quote: textOf(pageLines.lines, range).trim(), ...range }
}

/** Where a highlight begins among the letters of the text view. */
export function findMark(mark: Omit<Selected, 'page'>, { letters }: PageLines, text: string): number | undefined {
  const wanted = lettersOf(mark.quote)
  const start = letters.places.findIndex(
    ({ line, char }) => line > mark.start_line || (line === mark.start_line && char >= mark.start_char),
  )
  if (start === -1 || !letters.text.startsWith(wanted, start)) return undefined
  return findSamePlace({ text: letters.text, start, length: wanted.length }, text)
}
