import { TooComplex } from '../../failures.ts'
import type { ReplaceImage } from './images.ts'
import { type SafeElement, safeElementReader } from './safe-element.ts'
import { readTags } from './tags.ts'

export interface SafeVisitor {
  element(element: SafeElement): void
  /** The end of the last element that is not empty. */
  close(): void
  /** The end of the page. */
  end(): void
}

/** Including the root: browsers limit the nesting. */
const maxDepth = 200

/**
 * Reads an untrusted SVG and passes on only what the allowlist permits. The calls to the visitor are balanced, however
 * broken the markup is. Throws `TooComplex` for elements that are nested too deeply.
 */
export function sanitizeSvg(bytes: Buffer, replaceImage: ReplaceImage, visitor: SafeVisitor): void {
  const readElement = safeElementReader(bytes, replaceImage)
  const open: string[] = []
  /** Inside an element that is dropped: how many elements are open there. */
  let droppedDepth = 0

  const close = () => {
    // The root is not passed on.
    if (open.pop() !== 'svg') visitor.close()
  }
  readTags(bytes, (tag) => {
    const { name, kind } = tag
    if (kind === 'close') {
      if (droppedDepth > 0) droppedDepth--
      else if (open.at(-1) === name) close()
    } else if (droppedDepth > 0) {
      if (kind === 'open') droppedDepth++
    } else if (name === 'svg' && open.length === 0) {
      if (kind === 'open') open.push(name)
    } else {
      const element = readElement(tag)
      if (element) visitor.element(element)
      if (kind === 'empty') return
      if (!element || element.isEmpty) droppedDepth = 1
      else if (open.length >= maxDepth) throw new TooComplex('elements are nested too deeply')
      else open.push(name)
    }
  })
  while (open.length > 0) close()
  visitor.end()
}
