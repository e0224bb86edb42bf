import { type AnyNode, type Element, hasChildren, isTag, isText } from 'domhandler'

const hidden = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg', 'math', 'object', 'iframe'])
const inline = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q rb rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** The text that a reader sees, with single spaces. The text of a link ends where another one begins. */
export function visibleText(node: AnyNode, maxLength = Number.POSITIVE_INFINITY): string {
  const parts: string[] = []
  let length = 0
  const isLink = isTag(node) && node.name === 'a'
  const isSkipped = ({ name }: Element) => hidden.has(name) || (isLink && name === 'a')
  const visit = (current: AnyNode): void => {
    if (length > maxLength * 2) return
    if (isText(current)) {
      parts.push(current.data)
      length += current.data.length
      return
    }
    if (!hasChildren(current) || (isTag(current) && isSkipped(current))) return
    const isBlock = isTag(current) && !inline.has(current.name)
    if (isBlock) parts.push(' ')
    current.children.forEach(visit)
    if (isBlock) parts.push(' ')
  }
  // A hidden element is asked for its own text where it is the one in question.
  if (isTag(node)) node.children.forEach(visit)
  else visit(node)
  return cut(tidy(parts.join('')), maxLength)
}

/** The beginning, without half a character at its end. */
export function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')
}

/** One line without spaces at its ends, control characters and marks that change the direction of text. */
export function tidy(text: string): string {
  return text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
