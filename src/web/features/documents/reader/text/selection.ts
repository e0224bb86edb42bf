/**
 * Selecting with a pointer over blank space. Lines are positioned absolutely, so that the browser finds no line where a page
 * is blank and selects from or to the page's start. While the pointer is down, an element covers the blank space of each
 * page; it is moved in the document to where the selection ends, so that the selection stays there over blank space.
 * Beside and between pages, and over what lies on them, the selection is set back to where it was.
 */

/** The element that covers the blank space, of each text layer. */
const covers = new Map<Element, HTMLElement>()
let stopListening: (() => void) | undefined

/** Returns the function that ends it. */
export function trackSelection(layer: HTMLElement): () => void {
  const cover = document.createElement('div')
  cover.setAttribute('aria-hidden', 'true')
  cover.style.cssText = 'position:absolute;inset:0;display:none'
  layer.append(cover)
  covers.set(layer, cover)
  stopListening ??= listen()
  return () => {
    cover.remove()
    covers.delete(layer)
    if (covers.size > 0) return
    stopListening?.()
    stopListening = undefined
  }
}

function listen(): () => void {
  const listening = new AbortController()
  const { signal } = listening
  /** Fingers have the handles of the system: their movements are no pointer events. */
  let means: 'pointer' | 'handles' | undefined
  /** The last place in a line that was selected to. */
  let end: Place | undefined
  const release = () => {
    if (means === 'handles') return
    means = undefined
    end = undefined
    for (const [layer, cover] of covers) {
      cover.style.display = 'none'
      layer.append(cover)
    }
  }
  document.addEventListener(
    'pointerdown',
    ({ target, button, pointerType }) => {
      if (pointerType === 'touch') means = 'handles'
      else means = button === 0 && layerOf(target) !== null ? 'pointer' : undefined
    },
    { signal },
  )
  document.addEventListener(
    'selectionchange',
    () => {
      const selection = document.getSelection()
      if (!means || !selection) return
      end = keepOnPages(selection, end)
      // On a page the handles find the nearest character themselves.
      if (means === 'pointer') placeCovers(selection)
    },
    { signal },
  )
  for (const type of ['pointerup', 'pointercancel'] as const) document.addEventListener(type, release, { signal })
  window.addEventListener('blur', release, { signal })
  document.addEventListener('copy', copyLines, { signal })
  return () => listening.abort()
}

interface Place {
  node: Node
  offset: number
}

/** Returns the place in a line where the selection ends. */
function keepOnPages(selection: Selection, before: Place | undefined): Place | undefined {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection
  if (!anchorNode || !focusNode || !layerOf(anchorNode)) return before
  if (lineOf(focusNode)) return { node: focusNode, offset: focusOffset }
  if (layerOf(focusNode)) return before
  const { node, offset } = before?.node.isConnected ? before : { node: anchorNode, offset: anchorOffset }
  selection.setBaseAndExtent(anchorNode, anchorOffset, node, offset)
  return before
}

/** In later pages the cover stands before all lines, in earlier ones after them. */
function placeCovers(selection: Selection): void {
  const line = lineOf(selection.focusNode)
  const current = layerOf(line)
  if (!line || !current || selection.isCollapsed) return
  const isBackward = isBefore(selection.focusNode, selection.anchorNode, selection)
  for (const [layer, cover] of covers) {
    if (layer === current) {
      if (isBackward) line.before(cover)
      else line.after(cover)
    } else if (layer.compareDocumentPosition(current) & Node.DOCUMENT_POSITION_PRECEDING) layer.prepend(cover)
    else layer.append(cover)
    cover.style.display = 'block'
  }
}

function isBefore(focus: Node | null, anchor: Node | null, { focusOffset, anchorOffset }: Selection): boolean {
  if (!focus || !anchor) return false
  if (focus === anchor) return focusOffset < anchorOffset
  return (focus.compareDocumentPosition(anchor) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

/** One line of text for each printed line, in reading order. */
function copyLines(event: ClipboardEvent): void {
  const selection = document.getSelection()
  if (!selection || selection.rangeCount === 0 || !event.clipboardData) return
  const text = selectedText(selection.getRangeAt(0))
  if (text === undefined) return
  event.clipboardData.setData('text/plain', text)
  event.preventDefault()
}

/** Undefined if the selection reaches beyond the pages' text. */
function selectedText(range: Range): string | undefined {
  if (!layerOf(range.startContainer) || !layerOf(range.endContainer)) return undefined
  const lines: string[] = []
  for (const layer of document.querySelectorAll('[data-text-layer]')) {
    if (!range.intersectsNode(layer)) continue
    for (const line of layer.querySelectorAll('[data-line]')) {
      const text = range.intersectsNode(line) ? selectedPart(range, line) : ''
      if (text !== '') lines.push(text)
    }
  }
  return lines.join('\n')
}

function selectedPart(range: Range, line: Element): string {
  const part = document.createRange()
  part.selectNodeContents(line)
  if (part.comparePoint(range.startContainer, range.startOffset) === 0)
    part.setStart(range.startContainer, range.startOffset)
  if (part.comparePoint(range.endContainer, range.endOffset) === 0) part.setEnd(range.endContainer, range.endOffset)
  return part.toString().replaceAll('\n', '')
}

function lineOf(node: Node | null): Element | null {
  return elementOf(node)?.closest('[data-line]') ?? null
}

function layerOf(target: EventTarget | null | undefined): Element | null {
  return elementOf(target)?.closest('[data-text-layer]') ?? null
}

function elementOf(target: EventTarget | null | undefined): Element | null | undefined {
  return target instanceof Element ? target : target instanceof Node ? target.parentElement : undefined
}
