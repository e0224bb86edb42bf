import { createHash } from 'node:crypto'
import type { Document, Element } from 'domhandler'
import { elementsOf, readPage } from './dom.ts'
import { type LinkTitle, titleOf } from './link-titles.ts'
import { compileRule } from './links.ts'
import { readMetadata, readRobots } from './metadata.ts'
import { normalizeAddress } from './normalize.ts'
import { encodeQuery } from './query-encoding.ts'
import type { ExtractedPage, ExtractTask, FoundItem } from './rule.ts'
import { findAll } from './selectors.ts'
import { visibleText } from './text.ts'

const maxPages = 5_000
const maxItems = 5_000
/** Links that are looked at; a page with more is no list for people. */
const maxLinks = 20_000

/** Reads a page: what it says of itself, and where its links lead by the rule. */
export function extractPage(task: ExtractTask): ExtractedPage {
  const { rule, url } = task
  const { document, base, encoding, truncated } = readPage(task)
  const metadata = readMetadata(document, rule.selectors)
  const robots = readRobots(document)
  const next = nextLinks(document, rule.selectors.next)
  const links = sortLinks({
    // The next page is often named at the end, beyond the limit of links.
    links: [...next.union(new Set(linksOf(document)))],
    next,
    own: normalizeAddress(url, url, rule.dropParams)?.href,
    base,
    encoding,
    title: metadata.title,
    task,
  })
  const found = robots.nofollow ? { pages: [], items: [], skipped: links.addresses.length } : links
  return {
    ...metadata,
    ...robots,
    pages: found.pages,
    items: found.items,
    skipped: found.skipped,
    contentHash: hashContent(document, links.addresses),
    truncated,
  }
}

const linkAttributes = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['frame', 'src'],
  ['iframe', 'src'],
  ['embed', 'src'],
  ['object', 'data'],
])

function* linksOf(document: Document): Generator<Element> {
  for (const element of elementsOf(document)) {
    if (hrefOf(element) !== undefined || (element.name === 'link' && isNext(element))) yield element
  }
}

function hrefOf({ name, attribs }: Element): string | undefined {
  if (name === 'meta') return refreshAddress(attribs)
  const attribute = linkAttributes.get(name) ?? 'href'
  return name === 'link' || linkAttributes.has(name) ? attribs[attribute] : undefined
}

/** `<meta http-equiv=refresh content="0; url=…">`: the way that start pages lead on. */
function refreshAddress(attributes: Record<string, string>): string | undefined {
  if (attributes['http-equiv']?.toLowerCase() !== 'refresh') return undefined
  return /^[\s\d.]*[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(attributes.content ?? '')?.[1]
}

const relOf = ({ attribs }: Element): string[] => (attribs.rel ?? '').toLowerCase().split(/\s+/)
const isNext = (link: Element): boolean => relOf(link).includes('next')

/** The rule's selector names the links, or what contains them. */
function nextLinks(document: Document, selector: string): Set<Element> {
  const isLink = (element: Element) => hrefOf(element) !== undefined
  const found = findAll(selector, document).slice(0, 100)
  return new Set(found.flatMap((element) => (isLink(element) ? element : (elementsOf(element).find(isLink) ?? []))))
}

interface Sorting {
  links: Element[]
  next: Set<Element>
  /** The page's own address. */
  own: string | undefined
  base: string
  encoding: string
  title: string
  task: ExtractTask
}

interface SortedLinks {
  pages: string[]
  items: FoundItem[]
  skipped: number
  addresses: string[]
}

function sortLinks({ links, next, own, base, encoding, title, task: { rule } }: Sorting): SortedLinks {
  const rules = compileRule(rule)
  const nextPages = new Set<string>()
  const pages = new Set<string>()
  const items = new Map<string, LinkTitle>()
  const passedOver = new Set<string>()
  const addresses: string[] = []
  let skipped = Math.max(0, links.length - maxLinks)

  for (const link of links.slice(0, maxLinks)) {
    const url = normalizeAddress(encodeQuery(hrefOf(link) ?? '', encoding), base, rule.dropParams)
    if (!url) {
      skipped += 1
      continue
    }
    addresses.push(url.href)
    if (url.href === own) continue
    const kind = relOf(link).includes('nofollow') ? undefined : kindOf(link, url)
    if (kind === 'item') addItem(link, url)
    else if (kind === 'next') nextPages.add(url.href)
    else if (kind === 'page') pages.add(url.href)
    else passedOver.add(url.href)
  }

  const followed = [...new Set([...nextPages, ...pages])]
  const untaken = [...passedOver].filter((href) => !nextPages.has(href) && !pages.has(href) && !items.has(href))
  return {
    pages: followed.slice(0, maxPages),
    items: [...items].slice(0, maxItems).map(([url, { text }]) => ({ url, title: text })),
    skipped: skipped + untaken.length + Math.max(0, followed.length - maxPages) + Math.max(0, items.size - maxItems),
    addresses,
  }

  function kindOf(link: Element, url: URL): 'item' | 'next' | 'page' | undefined {
    if (next.has(link) && rules.mayFollow(url)) return 'next'
    const kind = rules.kindOf(url, link.attribs.download)
    return kind === 'page' && isNext(link) ? 'next' : kind
  }

  /** Of several links to the same thing, one that says what it is names it. */
  function addItem(link: Element, url: URL): void {
    const known = items.get(url.href)
    if (known?.isOwn) return
    const given = titleOf(link, url, title, rule.exts)
    if (!known || given.isOwn) items.set(url.href, given)
  }
}

function hashContent(document: Document, addresses: readonly string[]): string {
  const hash = createHash('sha256')
  // Whitespace between tags comes and goes with the template.
  hash.update(visibleText(document).replace(/\s/g, ''))
  for (const address of addresses) hash.update(`\n${address}`)
  return hash.digest('hex')
}
