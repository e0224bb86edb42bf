import { textOf, type LinePart, type PageLine, type TextRange } from '#web/features/documents/reader/notes/anchor.ts'

/**
 * The text layer as the browser has it. A line is an element with `data-line`, whose text begins with the line's own;
 * how its parts are placed inside is the text layer's business.
 */

export interface Selected extends TextRange {
  page: number
  quote: string
}

const lineSelector = '[data-line]'

export function linesOf(pageBox: Element): PageLine[] {
  return lineElements(pageBox).map((element) => ({ line: lineOf(element), text: lineText(element) }))
}

/** What is selected on each page of the column. */
export function readSelection(column: Element, selection: Selection | null): Selected[] {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return []
  const range = selection.getRangeAt(0)
  if (!range.intersectsNode(column)) return []
  return [...column.querySelectorAll('[data-page]')]
    .filter((box) => range.intersectsNode(box))
    .flatMap((box) => {
      const selected = lineElements(box).filter((element) => range.intersectsNode(element))
      const [first, last] = [selected[0], selected.at(-1)]
      if (!first || !last) return []
      const text = {
        start_line: lineOf(first),
        start_char: first.contains(range.startContainer) ? charAt(first, range.startContainer, range.startOffset) : 0,
        end_line: lineOf(last),
        end_char: last.contains(range.endContainer)
          ? charAt(last, range.endContainer, range.endOffset)
          : lineText(last).length,
      }
      const quote = textOf(linesOf(box), text).trim()
      return quote === '' ? [] : [{ page: Number(box.getAttribute('data-page')), ...text, quote }]
    })
}

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Where parts of lines are drawn, in percent of the page. */
export function boxesOf(pageBox: Element, parts: readonly LinePart[]): Box[] {
  const { left, top, width, height } = pageBox.getBoundingClientRect()
  const elements = new Map(lineElements(pageBox).map((element) => [lineOf(element), element]))
  return parts.flatMap(({ line, from, to }) => {
    const element = elements.get(line)
    const rect = element && toRange(element, from, to).getBoundingClientRect()
    if (!rect || rect.width === 0 || width === 0 || height === 0) return []
    return {
      left: ((rect.left - left) / width) * 100,
      top: ((rect.top - top) / height) * 100,
      width: (rect.width / width) * 100,
      height: (rect.height / height) * 100,
    }
  })
}

function lineElements(pageBox: Element): Element[] {
  return [...pageBox.querySelectorAll(lineSelector)]
}

function lineOf(element: Element): number {
  return Number(element.getAttribute('data-line'))
}

function lineText(element: Element): string {
  return element.textContent.replace(/\n$/, '')
}

function charAt(line: Element, node: Node, offset: number): number {
  const range = document.createRange()
  range.selectNodeContents(line)
  range.setEnd(node, offset)
  return Math.min(range.toString().length, lineText(line).length)
}

function toRange(line: Element, from: number, to: number): Range {
  const range = document.createRange()
  range.selectNodeContents(line)
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
  let passed = 0
  let hasStart = false
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0
    if (!hasStart && passed + length > from) {
      range.setStart(node, from - passed)
      hasStart = true
    }
    if (passed + length >= to) {
      range.setEnd(node, to - passed)
      break
    }
    passed += length
  }
  return range
}
