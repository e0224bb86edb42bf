import type { Element, ParentNode } from 'domhandler'
import { DomUtils } from 'htmlparser2'
import { elementsOf, readPage } from './dom.ts'
import { readMetadata, readRobots } from './metadata.ts'
import { maxAddressLength } from './normalize.ts'
import { findContent } from './readable.ts'
import type { ExtractedArticle, ExtractTask } from './rule.ts'
import { findFirst } from './selectors.ts'
import { visibleText } from './text.ts'

const maxPictures = 50

/** Reads an article page: what it says of itself, its text and its pictures. */
export function extractArticle(task: ExtractTask): ExtractedArticle {
  const { document, base } = readPage(task)
  const { selectors } = task.rule
  const metadata = readMetadata(document, selectors)
  const { noindex } = readRobots(document)
  const selected = findFirst(selectors.content, document)
  const content = selected ?? findContent(document)
  removeClutter(content)
  if (!selected) removeSurroundings(content)
  removeHeading(content, metadata.title)
  const pictures = resolvePictures(content, base)
  resolveAddresses(content, base)
  return {
    ...metadata,
    noindex,
    content: DomUtils.getInnerHTML(content, { encodeEntities: 'utf8' }).trim(),
    pictures,
  }
}

const clutter = new Set(
  'script style noscript template nav aside footer iframe frame frameset object embed applet link meta base title svg canvas dialog button input select textarea fieldset source track map'.split(
    ' ',
  ),
)

function removeClutter(content: ParentNode): void {
  for (const element of elementsOf(content).toArray()) {
    if (clutter.has(element.name) || isHidden(element)) DomUtils.removeElement(element)
    // ASP.NET puts whole pages into a form.
    if (element.name === 'form') element.name = 'div'
  }
}

function isHidden({ attribs }: Element): boolean {
  return attribs.hidden !== undefined || /display\s*:\s*none/i.test(attribs.style ?? '')
}

const surroundings =
  /(?:^|[\s_-])(?:comments?|share|sharing|related|recommend|breadcrumbs?|crumbs?|sidebar|pagination|pager|toolbar|copyright|advert|ads?|qrcode|toc)(?:$|[\s_-])/i

/** What pages put around their text, by the names that they give it. */
function removeSurroundings(content: ParentNode): void {
  const length = visibleText(content).length
  for (const element of elementsOf(content).toArray()) {
    const names = `${element.attribs.class ?? ''} ${element.attribs.id ?? ''}`
    // A page may give such a name to all of its text.
    if (surroundings.test(names) && visibleText(element).length < length / 3) DomUtils.removeElement(element)
  }
}

/** The title stands above the article anyway. */
function removeHeading(content: ParentNode, title: string): void {
  const heading = elementsOf(content).find(({ name }) => name === 'h1')
  if (heading && visibleText(heading) === title) DomUtils.removeElement(heading)
}

/** Pictures that load when the reader reaches them carry their address here. */
const lazyAttributes = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-actualsrc',
  'data-lazy',
  'data-echo',
  'data-url',
]

function resolvePictures(content: ParentNode, base: string): string[] {
  const pictures = new Set<string>()
  const images = elementsOf(content).filter(({ name }) => name === 'img')
  for (const picture of images.toArray()) {
    const address = isTrackingPixel(picture) ? undefined : pictureAddress(picture, base)
    if (address === undefined || (pictures.size >= maxPictures && !pictures.has(address))) {
      DomUtils.removeElement(picture)
      continue
    }
    pictures.add(address)
    const { alt, title, width, height } = picture.attribs
    picture.attribs = Object.fromEntries(
      Object.entries({ src: address, alt, title, width, height }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    )
  }
  return [...pictures]
}

function pictureAddress({ attribs }: Element, base: string): string | undefined {
  const candidates = [...lazyAttributes.map((name) => attribs[name]), attribs.src, largestOf(attribs.srcset)]
  for (const candidate of candidates) {
    const address = candidate ? absolute(candidate, base) : undefined
    if (address && /^https?:/.test(address)) return address.replace(/#.*$/s, '')
  }
  return undefined
}

function isTrackingPixel({ attribs }: Element): boolean {
  return [attribs.width, attribs.height].some((size) => size !== undefined && /^[01](?:px)?$/.test(size.trim()))
}

/** Authors write the largest picture last. */
function largestOf(srcset: string | undefined): string | undefined {
  return srcset?.split(/,\s+/).at(-1)?.trim().split(/\s/)[0]
}

function resolveAddresses(content: ParentNode, base: string): void {
  for (const { name, attribs } of elementsOf(content)) {
    if (name === 'img') continue
    for (const attribute of ['href', 'src', 'poster', 'cite', 'background'] as const) {
      if (attribs[attribute] === undefined) continue
      const address = absolute(attribs[attribute], base)
      if (address === undefined) delete attribs[attribute]
      else attribs[attribute] = address
    }
  }
}

function absolute(href: string, base: string): string | undefined {
  const url = href.length <= maxAddressLength ? URL.parse(href.trim(), base) : null
  return url && /^(?:https?|mailto|tel):$/.test(url.protocol) && !url.password ? url.href : undefined
}
