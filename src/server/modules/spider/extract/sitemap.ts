import { gunzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { decodeBody } from './charset.ts'
import { parseDate } from './dates.ts'
import { ExtractError } from './extract-error.ts'
import { withoutExtension } from './link-titles.ts'
import { compileRule, fileNameOf } from './links.ts'
import { maxTitleLength } from './metadata.ts'
import { normalizeAddress } from './normalize.ts'
import type { ExtractedSitemap, SitemapTask } from './rule.ts'
import { cut, tidy } from './text.ts'

/** The limits of the sitemap protocol. */
const maxAddresses = 50_000
const maxBytes = 50 * 1024 * 1024
const maxTextLength = 4_000

/** Reads a sitemap, an index of sitemaps, an RSS or Atom feed, or a list of addresses, one a line. */
export function extractSitemap(task: SitemapTask): ExtractedSitemap {
  const { text } = decodeBody(decompress(task.body), task.contentType)
  const entries = /^\s*</.test(text) ? readXml(text) : readLines(text)
  return sortEntries(entries, task)
}

interface Entry {
  kind: 'page' | 'sitemap'
  address: string
  title: string
  date: string
}

/** Decompressed as it was sent, a `.gz` may still be compressed by itself. */
function decompress(body: Uint8Array): Uint8Array {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body.subarray(0, maxBytes)
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = error instanceof RangeError
    throw new ExtractError(isTooLarge ? 'too_large' : 'not_a_sitemap', { cause: error })
  }
}

function readLines(text: string): Entry[] {
  const addresses = text
    .split(/[\r\n]+/, maxAddresses * 2)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//i.test(line))
  if (addresses.length === 0 && text.trim() !== '') throw new ExtractError('not_a_sitemap')
  return addresses.slice(0, maxAddresses).map((address) => ({ kind: 'page', address, title: '', date: '' }))
}

const roots = new Set(['urlset', 'sitemapindex', 'rss', 'feed', 'rdf'])
const entryKinds = new Map<string, Entry['kind']>([
  ['url', 'page'],
  ['sitemap', 'sitemap'],
  ['item', 'page'],
  ['entry', 'page'],
])
const addressElements = new Set(['loc', 'link', 'enclosure'])
const dateElements = new Set(['lastmod', 'pubdate', 'updated', 'published', 'date'])

/** The parser knows the five entities of XML and none that a document declares: nothing expands. */
function readXml(xml: string): Entry[] {
  const entries: Entry[] = []
  let root: string | undefined
  let prefix = ''
  let open: { kind: Entry['kind']; addresses: string[]; title: string; date: string } | undefined
  let text = ''
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (root === undefined) {
          root = localName(tag)
          prefix = tag.includes(':') ? `${tag.split(':')[0]}:` : ''
        }
        text = ''
        const name = nameOf(tag)
        const kind = entryKinds.get(name)
        if (kind) open = { kind, addresses: [], title: '', date: '' }
        const address = name === 'link' ? attributes.href : name === 'enclosure' ? attributes.url : undefined
        const rel = attributes.rel ?? 'alternate'
        if (open && address && (rel === 'alternate' || rel === 'enclosure')) open.addresses.push(address)
      },
      ontext(data) {
        if (text.length < maxTextLength) text += data
      },
      onclosetag(tag) {
        const name = nameOf(tag)
        if (open) {
          if (addressElements.has(name) && text.trim() !== '') open.addresses.push(text.trim())
          if (name === 'title') open.title = cut(tidy(text), maxTitleLength)
          if (dateElements.has(name) && open.date === '') open.date = text.trim()
        }
        text = ''
        if (!open || entryKinds.get(name) !== open.kind) return
        const { kind, title, date } = open
        entries.push(...open.addresses.slice(0, 10).map((address) => ({ kind, address, title, date })))
        open = undefined
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const chunkLength = 65_536
  for (let at = 0; at < xml.length && entries.length < maxAddresses; at += chunkLength) {
    parser.write(xml.slice(at, at + chunkLength))
    if (root !== undefined && !roots.has(root)) throw new ExtractError('not_a_sitemap')
  }
  if (root === undefined) throw new ExtractError('not_a_sitemap')
  return entries.slice(0, maxAddresses)

  /** Elements of extensions, as `image:loc`, are not the sitemap's own; Dublin Core's `dc:date` is the date of RSS 1.0. */
  function nameOf(tag: string): string {
    if (prefix !== '' && tag.startsWith(prefix)) return localName(tag)
    return tag.includes(':') && !tag.startsWith('dc:') ? tag : localName(tag)
  }
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1).toLowerCase()
}

function sortEntries(entries: readonly Entry[], { url: base, rule }: SitemapTask): ExtractedSitemap {
  const rules = rule && compileRule(rule)
  const found: ExtractedSitemap = { pages: [], items: [], sitemaps: [] }
  const known = new Set<string>()
  for (const { kind, address, title, date } of entries) {
    const url = normalizeAddress(address, base, rule?.dropParams ?? [])
    if (!url || known.has(url.href)) continue
    known.add(url.href)
    const time = parseDate(date)
    const entry = { url: url.href, ...(time !== undefined && { lastModified: time }) }
    const sorted = kind === 'sitemap' ? 'sitemap' : rules ? rules.kindOf(url) : 'page'
    if (sorted === 'sitemap') found.sitemaps.push(url.href)
    if (sorted === 'page') found.pages.push(entry)
    if (sorted === 'item')
      found.items.push({ ...entry, title: title || withoutExtension(fileNameOf(url), rule?.exts ?? []) })
  }
  return found
}
