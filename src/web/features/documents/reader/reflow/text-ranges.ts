import { occurrences, lettersOf, readLetters, type Letters } from '#web/features/documents/reader/reflow/letters.ts'

/** The text as the browser has it, page by page: where quotations and words stand in it. */

export interface PageLetters extends Letters<{ node: Text; offset: number }> {
  page: number
}

export interface PageQuote {
  page: number
  quote: string
  /** The letters of the page, and which of them are selected. */
  letters: string
  start: number
  length: number
}

/** The pages whose text is loaded. What stands between the starts of two pages belongs to the first of them. */
export function readPages(column: Element): PageLetters[] {
  return readNodes(column).map(({ page, nodes }) => ({ page, ...readLetters(nodes.map((node) => toSource(node))) }))
}

/** Every place of a text on a page. */
export function findRanges(page: PageLetters, wanted: string): Range[] {
  const letters = lettersOf(wanted)
  return occurrences(page.text, letters).flatMap((start) => rangeAt(page, start, letters.length) ?? [])
}

export function rangeAt({ places }: PageLetters, start: number, length: number): Range | undefined {
  const [first, last] = [places[start], places[start + length - 1]]
  if (!first || !last) return undefined
  const range = document.createRange()
  range.setStart(first.node, first.offset)
  range.setEnd(last.node, last.offset + 1)
  return range
}

/** What is selected of each page. */
export function readQuotes(column: Element, selection: Selection | null): PageQuote[] {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return []
  const range = selection.getRangeAt(0)
  if (!range.intersectsNode(column)) return []
  return readNodes(column).flatMap(({ page, nodes }) => {
    const first = nodes.findIndex((node) => range.intersectsNode(node))
    if (first === -1) return []
    const parts = nodes.slice(first).filter((node) => range.intersectsNode(node))
    const cut = (node: Text) =>
      node.data.slice(
        node === range.startContainer ? range.startOffset : 0,
        node === range.endContainer ? range.endOffset : undefined,
      )
    const quote = parts
      .map((node, index) => (index > 0 && blockOf(node) !== blockOf(parts[index - 1]) ? '\n' : '') + cut(node))
      .join('')
      .trim()
    const length = lettersOf(quote).length
    if (length === 0) return []
    const skipped = nodes[first] === range.startContainer ? nodes[first]?.data.slice(0, range.startOffset) : ''
    const before = [...nodes.slice(0, first).map(({ data }) => data), skipped ?? '']
    const letters = lettersOf(nodes.map(({ data }) => data).join(''))
    return [{ page, quote, letters, start: lettersOf(before.join('')).length, length }]
  })
}

function toSource(node: Text) {
  return { text: node.data, placeAt: (offset: number) => ({ node, offset }) }
}

function blockOf(node: Text | undefined): Element | null | undefined {
  return node?.parentElement?.closest('p, h2, h3, h4, h5, li, blockquote, pre, td')
}

/** What the view itself says between the pages: that one has no text, is loading or has failed; advertisements. */
const besideText = '[data-beside-text], [aria-busy], [role="alert"]'

function readNodes(column: Element): { page: number; nodes: Text[] }[] {
  const pages: { page: number; nodes: Text[] }[] = []
  const walker = document.createTreeWalker(column, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && node.matches(besideText) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof HTMLElement && node.dataset['page'])
      pages.push({ page: Number(node.dataset['page']), nodes: [] })
    else if (node instanceof Text) pages.at(-1)?.nodes.push(node)
  }
  return pages
}
