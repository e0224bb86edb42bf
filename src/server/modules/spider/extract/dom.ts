import { type AnyNode, type Document, DomHandler, type Element, isTag, type ParentNode } from 'domhandler'
import { Parser } from 'htmlparser2'
import { decodeBody } from './charset.ts'
import { ExtractError } from './extract-error.ts'

const maxBytes = 10 * 1024 * 1024
const maxNodes = 200_000
/** Elements in deeper ones become their siblings, as in browsers. */
const maxDepth = 512
/** The parser itself keeps all open elements, which costs more the more there are. */
const maxOpen = 10_000
const maxAttributes = 64
const maxAttributeLength = 4_000
const chunkLength = 65_536

export interface ReadPage {
  document: Document
  encoding: string
  /** What relative links refer to. */
  base: string
  /** Only the beginning was read. */
  truncated: boolean
}

/** Reads a page as far as the limits allow; broken HTML is read as browsers do, more or less. */
export function readPage(task: { url: string; contentType: string; body: Uint8Array }): ReadPage {
  const { text, encoding } = decodeBody(task.body.subarray(0, maxBytes), task.contentType)
  if (!looksLikeHtml(task.body, text, task.contentType)) throw new ExtractError('not_a_page')
  // PostgreSQL stores no text that contains this character.
  const html = text.replaceAll('\0', '')
  const handler = new BoundedHandler()
  const parser = new Parser(handler)
  for (let at = 0; at < html.length && !handler.isFull; at += chunkLength) {
    parser.write(html.slice(at, at + chunkLength))
  }
  if (!handler.isFull) parser.end()
  const document = handler.root
  return {
    document,
    encoding,
    base: baseOf(document, task.url),
    truncated: handler.isFull || task.body.length > maxBytes,
  }
}

/** All elements in the order of the document. */
export function* elementsOf(root: ParentNode): Generator<Element> {
  let node: AnyNode | null = root.firstChild
  while (node) {
    if (isTag(node)) yield node
    const child: AnyNode | null = isTag(node) ? node.firstChild : null
    node = child ?? following(node, root)
  }
}

/** What comes behind a node and all that it contains. */
function following(node: AnyNode, root: ParentNode): AnyNode | null {
  let current: AnyNode | null = node
  while (current && current !== root) {
    if (current.next) return current.next
    current = current.parent
  }
  return null
}

function baseOf(document: Document, url: string): string {
  for (const element of elementsOf(document)) {
    if (element.name !== 'base' || element.attribs.href === undefined) continue
    const base = URL.parse(element.attribs.href, url)
    return base?.protocol === 'http:' || base?.protocol === 'https:' ? base.href : url
  }
  return url
}

/** PDF, ZIP, PNG, GIF, JPEG, OLE, gzip, RAR, 7z. */
const binarySignatures = [
  '25504446',
  '504b0304',
  '89504e47',
  '47494638',
  'ffd8ff',
  'd0cf11e0',
  '1f8b',
  '52617221',
  '377abcaf',
]
const feedRoot = /^\s*(?:<[?!][^>]*>\s*)*<(?:rss|feed|rdf:rdf|urlset|sitemapindex)[\s>]/i

/** Servers name types wrongly: what the bytes show counts. */
function looksLikeHtml(body: Uint8Array, html: string, contentType: string): boolean {
  const beginning = Buffer.from(body.subarray(0, 4)).toString('hex')
  const text = html.slice(0, 4_096)
  if (binarySignatures.some((signature) => beginning.startsWith(signature)) || text.includes('\0')) return false
  if (feedRoot.test(text)) return false
  if (contentType === '' || /^\s*(?:text\/html|application\/xhtml\+xml)/i.test(contentType)) return true
  return /<(?:!doctype\s+html|html|head|body|title|meta|div|table|a\s)/i.test(text)
}

class BoundedHandler extends DomHandler {
  isFull = false
  #nodes = 0
  #open = 0

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.#open += 1
    if (this.#open > maxOpen) this.isFull = true
    if (!this.#take()) return
    super.onopentag(name, bounded(attributes))
    if (this.#open > maxDepth) this.tagStack.pop()
  }

  override onclosetag(): void {
    this.#open -= 1
    if (this.isFull) return
    if (this.#open < maxDepth) super.onclosetag()
    else this.lastNode = null
  }

  override ontext(text: string): void {
    const parent = this.tagStack.at(-1)
    if (parent && isTag(parent) && (parent.name === 'script' || parent.name === 'style')) return
    if (this.lastNode ? !this.isFull : this.#take()) super.ontext(text)
  }

  // Nothing reads these: they would only count as nodes.
  override oncomment(): void {}
  override oncommentend(): void {}
  override onprocessinginstruction(): void {}

  #take(): boolean {
    this.#nodes += 1
    if (this.#nodes > maxNodes) this.isFull = true
    return !this.isFull
  }
}

function bounded(attributes: Record<string, string>): Record<string, string> {
  const values = Object.values(attributes)
  if (values.length <= maxAttributes && values.every(({ length }) => length <= maxAttributeLength)) return attributes
  const kept = Object.entries(attributes).slice(0, maxAttributes)
  return Object.fromEntries(kept.map(([name, value]) => [name, value.slice(0, maxAttributeLength)]))
}
