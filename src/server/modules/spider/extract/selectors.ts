import { compile, selectAll as select, selectOne } from 'css-select'
import type { AnyNode, Document, Element } from 'domhandler'
import { ExtractError } from './extract-error.ts'

const maxSelectorLength = 500

/** What is wrong with a CSS selector, for the form that it was written in. */
export function validateSelector(text: string): string | undefined {
  if (text.trim() === '') return '请填写选择器'
  if (text.length > maxSelectorLength) return `选择器不能超过 ${maxSelectorLength} 个字符`
  try {
    compile<AnyNode, Element>(text)
    return isTypo(text) ? unreadable : undefined
  } catch {
    return unreadable
  }
}

const unreadable = '选择器无法识别，请按 CSS 的写法填写，例如 .title h1 或 #content'

/** What the library reads as the name of a class that no page has, or leaves out. */
function isTypo(selector: string): boolean {
  const withoutStrings = selector.replaceAll(/"[^"]*"|'[^']*'/g, '')
  return /[.#]\s*[.#]|[>+~,.#]\s*$/.test(withoutStrings)
}

/** The first element; an empty selector finds nothing. */
export function findFirst(selector: string, document: Document): Element | undefined {
  if (selector.trim() === '') return undefined
  return guarded(() => selectOne<AnyNode, Element>(selector, document) ?? undefined)
}

export function findAll(selector: string, document: Document): Element[] {
  if (selector.trim() === '') return []
  return guarded(() => select<AnyNode, Element>(selector, document))
}

function guarded<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    // A page may be too deep for a selector that is well-formed.
    if (error instanceof RangeError) throw error
    throw new ExtractError('bad_rule', { cause: error })
  }
}
