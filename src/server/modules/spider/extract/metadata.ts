import type { Document, Element } from 'domhandler'
import { findDate, parseDate } from './dates.ts'
import { elementsOf } from './dom.ts'
import type { Metadata, MetadataPart, PageRule } from './rule.ts'
import { findFirst } from './selectors.ts'
import { cut, tidy, visibleText } from './text.ts'

export const maxTitleLength = 200
const maxDescriptionLength = 1_000
const maxKeywordsLength = 500
const maxHeadings = 1_000

/** Title, description, keywords and date: by the rule's selectors, else by what pages say of themselves. */
export function readMetadata(document: Document, selectors: PageRule['selectors']): Metadata {
  const page = glance(document)
  const first = (maxLength: number, ...texts: (string | undefined)[]) =>
    cut(texts.map((text) => tidy(text ?? '')).find((text) => text !== '') ?? '', maxLength)
  const selected = (selector: string) => valueOf(findFirst(selector, document))
  const meta = (name: string) => page.meta.get(name)
  const date = parseDate(selected(selectors.date)) ?? dateOf(page, document)
  return {
    title: first(maxTitleLength, selected(selectors.title), meta('og:title'), withoutSiteName(page), page.heading),
    description: first(
      maxDescriptionLength,
      selected(selectors.description),
      meta('description'),
      meta('og:description'),
    ),
    keywords: first(maxKeywordsLength, selected(selectors.keywords), meta('keywords')),
    ...(date !== undefined && { date }),
    unmatched: parts.filter((part) => selectors[part].trim() !== '' && tidy(selected(selectors[part])) === ''),
  }
}

const parts: readonly MetadataPart[] = ['title', 'description', 'keywords', 'date']

/** What `<meta name=robots>` says. */
export function readRobots(document: Document): { nofollow: boolean; noindex: boolean } {
  const words = new Set<string>()
  for (const { name, attribs } of elementsOf(document)) {
    if (name !== 'meta' || attribs.name?.toLowerCase() !== 'robots') continue
    for (const word of (attribs.content ?? '').toLowerCase().split(/[\s,]+/)) words.add(word)
  }
  return { nofollow: words.has('nofollow') || words.has('none'), noindex: words.has('noindex') || words.has('none') }
}

interface Glance {
  /** Names in lower case; of several with one name the first. */
  meta: Map<string, string>
  title: string
  /** The first `<h1>` that is part of the title, or else the first. */
  heading: string
  times: string[]
}

function glance(document: Document): Glance {
  const meta = new Map<string, string>()
  const headings: string[] = []
  const times: string[] = []
  let title = ''
  for (const element of elementsOf(document)) {
    const { name, attribs } = element
    if (name === 'meta') {
      const key = (attribs.property ?? attribs.name ?? attribs.itemprop ?? '').toLowerCase()
      if (!meta.has(key)) meta.set(key, attribs.content ?? '')
    }
    if (name === 'title' && title === '') title = visibleText(element, maxTitleLength)
    if (name === 'h1' && headings.length < maxHeadings) headings.push(visibleText(element, maxTitleLength))
    if (name === 'time' && times.length < maxHeadings) times.push(valueOf(element))
  }
  const heading = headings.find((text) => text !== '' && title.includes(text)) ?? headings[0] ?? ''
  return { meta, title, heading, times }
}

/** Most sites put their name behind the title; the heading has none. */
function withoutSiteName({ title, heading }: Glance): string {
  return heading.length >= 4 && title.startsWith(heading) ? heading : title
}

const dateNames = [
  'article:published_time',
  'pubdate',
  'publishdate',
  'publish_date',
  'datepublished',
  'dc.date',
  'date',
]

function dateOf(page: Glance, document: Document): number | undefined {
  for (const text of [...page.times, ...dateNames.map((name) => page.meta.get(name) ?? '')]) {
    const date = parseDate(text)
    if (date !== undefined) return date
  }
  return findDate(visibleText(document, 40_000))
}

function valueOf(element: Element | undefined): string {
  if (!element) return ''
  const { name, attribs } = element
  const value = { meta: attribs.content, time: attribs.datetime, input: attribs.value, img: attribs.alt }[name]
  return value ?? visibleText(element, maxDescriptionLength)
}
