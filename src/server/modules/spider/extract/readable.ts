import { type AnyNode, type Document, type Element, isTag, isText, type ParentNode } from 'domhandler'
import { elementsOf } from './dom.ts'
import { tidy, visibleText } from './text.ts'

/** An `<article>` with less is a teaser. */
const minArticleLength = 80
/** Labels and menu entries are shorter than sentences. */
const minSentenceLength = 10
const comparedBlocks = 20

/** The element that holds the text of an article: marked as such, or else the block with the densest text. */
export function findContent(document: Document): ParentNode {
  return longest(document, 'article') ?? longest(document, 'main') ?? densestBlock(document) ?? bodyOf(document)
}

function longest(document: Document, name: string): Element | undefined {
  return elementsOf(document)
    .filter((element) => element.name === name)
    .take(comparedBlocks)
    .map((element) => ({ element, length: visibleText(element).length }))
    .filter(({ length }) => length >= minArticleLength)
    .toArray()
    .toSorted((a, b) => b.length - a.length)[0]?.element
}

const containers = new Set(['div', 'section', 'td', 'article', 'main', 'body', 'center', 'form', 'dd'])
const besideContent = new Set([
  'nav',
  'aside',
  'footer',
  'header',
  'a',
  'script',
  'style',
  'noscript',
  'template',
  'select',
  'button',
  'head',
])

/** Sentences count for the block that they stand in and, half, for the one around it. */
function densestBlock(document: Document): Element | undefined {
  const scores = new Map<Element, number>()
  const add = (block: Element | undefined, points: number) => {
    if (block) scores.set(block, (scores.get(block) ?? 0) + points)
  }
  for (const element of elementsOf(document)) {
    const points = element.children.filter(isText).reduce((sum, { data }) => sum + pointsOf(tidy(data)), 0)
    if (points === 0 || isBesideContent(element)) continue
    const block = containerOf(element)
    add(block, points)
    add(block?.parent ? containerOf(block.parent) : undefined, points / 2)
  }
  const best = [...scores].toSorted((a, b) => b[1] - a[1]).slice(0, comparedBlocks)
  return best
    .map(([block, score]) => ({ block, score: score * (1 - linkShare(block)) }))
    .toSorted((a, b) => b.score - a.score)[0]?.block
}

function pointsOf(text: string): number {
  if (text.length < minSentenceLength) return 0
  return 1 + Math.min(text.length / 100, 3) + (text.match(/[，。、；,;]/g)?.length ?? 0)
}

function isBesideContent(element: Element): boolean {
  return ancestorsOf(element).some(({ name }) => besideContent.has(name))
}

function containerOf(node: AnyNode): Element | undefined {
  return ancestorsOf(node).find(({ name }) => containers.has(name))
}

/** From the node itself outwards. */
function* ancestorsOf(node: AnyNode): Generator<Element> {
  for (let current: AnyNode | null = node; current; current = current.parent) if (isTag(current)) yield current
}

function linkShare(block: Element): number {
  const length = visibleText(block).length
  const links = elementsOf(block).filter(({ name }) => name === 'a')
  const linked = links.reduce((sum, link) => sum + visibleText(link).length, 0)
  return length === 0 ? 1 : Math.min(linked / length, 1)
}

function bodyOf(document: Document): ParentNode {
  return elementsOf(document).find(({ name }) => name === 'body') ?? document
}
