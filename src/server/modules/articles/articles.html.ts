import sanitize, { type Attributes, type IOptions, type Tag } from 'sanitize-html'
import { maxArticleLength } from '#shared/contract/articles.ts'
import { errors } from '#shared/errors.ts'

/** No author nests deeper. Bounds the sanitizer, whose cost grows with the depth. */
const maxDepth = 200
/** Deeper tags are dropped; their text stays. */
const maxTagDepth = 60
const maxTags = 20_000
const maxUrlLength = 2000
const maxFormulaLength = 5000
const summaryLength = 200

/** The allowed tags and attributes. Other tags are dropped; their text stays. */
const allowedAttributes: Record<string, string[]> = {
  p: ['style'],
  h1: ['style'],
  h2: ['style'],
  h3: ['style'],
  h4: ['style'],
  div: ['style', 'data-type', 'data-latex'],
  blockquote: [],
  br: [],
  hr: [],
  ul: ['data-type'],
  ol: ['start'],
  li: ['data-type', 'data-checked'],
  label: [],
  input: ['type', 'checked', 'disabled'],
  pre: [],
  code: ['class'],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: ['style', 'colspan', 'rowspan', 'colwidth'],
  td: ['style', 'colspan', 'rowspan', 'colwidth'],
  a: ['href', 'title', 'rel', 'target'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  video: ['src', 'controls', 'preload', 'width', 'height', 'poster'],
  span: ['data-type', 'data-latex'],
  strong: [],
  em: [],
  u: [],
  s: [],
  sub: [],
  sup: [],
  mark: [],
}

const tagAliases: Record<string, string> = { b: 'strong', i: 'em', del: 's', strike: 's', ins: 'u', h5: 'h4', h6: 'h4' }

/** Dropped with their content. */
const droppedTags =
  'script style textarea select option xmp noscript noembed noframes iframe object svg math template title'

const rules: IOptions = {
  allowedTags: Object.keys(allowedAttributes),
  allowedAttributes,
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nestingLimit: maxTagDepth,
  parseStyleAttributes: false,
  nonTextTags: droppedTags.split(' '),
}

/** Cheap, unlike sanitizing. */
export function assertFewTags(source: string): void {
  let tags = 0
  for (let at = source.indexOf('<'); at !== -1; at = source.indexOf('<', at + 1)) tags += 1
  if (tags > maxTags) throw errors.request.invalid('正文的格式太复杂，请分成几篇文章')
}

/** Sanitizes an article's HTML. `origin` is that of the site, if it has a domain. */
export function cleanArticle(source: string, origin = ''): string {
  assertFewTags(source)
  let depth = 0
  const context: TagContext = { origin }
  const html = sanitize(source, {
    ...rules,
    transformTags: { '*': (name, attributes) => sanitizeTag(...normalizeTag(name, attributes, context), origin) },
    // The content of a video element is for browsers that cannot play it.
    textFilter: (text, tag) => (tag === 'video' ? '' : text),
    onOpenTag: () => {
      depth += 1
      if (depth > maxDepth) throw errors.request.invalid('正文的层级太多，请去掉一些嵌套的列表、引用或表格')
    },
    onCloseTag: (name) => {
      depth -= 1
      if (name === 'pre' || name === 'video') delete context[name]
    },
  })
  const clean = html.replaceAll('\0', '').toWellFormed().trim()
  if (clean.length > maxArticleLength) throw errors.request.invalid(`正文最多 ${maxArticleLength} 个字符`)
  return clean
}

/** The text of a sanitized article, a line for each paragraph. Formulas appear as their source. */
export function htmlToText(html: string): string {
  const text = html
    .replace(/<[^>]*\sdata-latex="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[bh]r \/>|<\/(?:p|h[1-4]|li|blockquote|pre|tr|div|ul|ol|table)>/g, '\n')
    .replace(/<\/t[dh]>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
  return decodeEntities(text).trim()
}

const formulas = /<(span|div)[^>]*\sdata-latex="([^"]*)"[^>]*><\/\1>/g
/** Letters, digits and simple operators: readable without typesetting. */
const plainFormula = /^[\w\s.,:+\-*/=()%^]{1,20}$/

/** The beginning of a sanitized article's text: stands in for a missing summary. */
export function toSummary(html: string): string {
  // The source of a complex formula is unreadable in a summary.
  const readable = html.replaceAll(formulas, (_whole, _tag, source: string) =>
    plainFormula.test(source) ? source : '…',
  )
  const text = htmlToText(readable)
    .slice(0, summaryLength * 2)
    .replace(/\s+/g, ' ')
  return Array.from(text).slice(0, summaryLength).join('').trim().toWellFormed()
}

/** Whether a sanitized article has neither text nor media. */
export function isEmpty(html: string): boolean {
  return !/<(?:img|video) /.test(html) && htmlToText(html) === ''
}

const pictureAddress = /<img [^>]*?\bsrc="([^"]*)"/g

/** The first image of a sanitized article. */
export function findCover(html: string): string {
  for (const [, address = ''] of html.matchAll(pictureAddress)) return decodeEntities(address)
  return ''
}

/** An uploaded picture, or one that the sanitized article shows, if that is what the author has chosen; else empty. */
export function acceptCover(html: string, chosen: string): string {
  if (uploadPath.test(chosen)) return chosen
  for (const [, address = ''] of html.matchAll(pictureAddress)) if (decodeEntities(address) === chosen) return chosen
  return ''
}

export const uploadPath = /^\/uploads\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z0-9]{1,10}$/
const uploadAttribute = / (?:src|href|poster)="(\/uploads\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z0-9]{1,10})"/g

/** The uploaded files that a sanitized article shows or links to, once each. */
export function findUploads(html: string): string[] {
  const tags = html.match(/<(?:img|video|a) [^>]*>/g) ?? []
  const matches = tags.flatMap((tag) => [...tag.matchAll(uploadAttribute)])
  return [...new Set(matches.map(([, path = '']) => path))]
}

/** Open tags that affect the tags inside them. */
interface TagContext {
  origin: string
  pre?: { language: string | undefined }
  /** A video element without `src`: a source element inside it has the address. */
  video?: Attributes
}

/** Converts what other editors write: video sources, the language of a code block, images of formulas. */
function normalizeTag(name: string, attributes: Attributes, context: TagContext): [string, Attributes] {
  if (name === 'pre') context.pre = { language: languageClass(attributes.class) }
  if (name === 'code') return [name, { class: languageClass(attributes.class) ?? context.pre?.language ?? '' }]
  if (name === 'video' && !attributes.src) context.video = attributes
  if (name === 'source' && context.video && mediaUrl(attributes.src, context.origin)) {
    const video = { ...context.video, src: attributes.src ?? '' }
    delete context.video
    return ['video', video]
  }
  const formula = name === 'img' && formulaAttributes({ ...attributes, 'data-type': 'inline-math' }, 'inline-math')
  return formula ? ['span', formula] : [name, attributes]
}

/** Keeps valid attributes. A tag without a required one is dropped; its text stays. */
function sanitizeTag(name: string, attributes: Attributes, origin: string): Tag {
  const tagName = tagAliases[name] ?? name
  const filter = Object.hasOwn(attributeFilters, tagName) ? attributeFilters[tagName] : () => ({})
  const attribs = filter?.(attributes, origin)
  // An empty name drops the tag. The sanitizer would remember any other disallowed name, and close a later tag with it.
  return attribs ? { tagName, attribs: withoutUndefined(attribs) } : { tagName: '', attribs: {} }
}

type AttributeFilter = (attributes: Attributes, origin: string) => Record<string, string | undefined> | undefined

const attributeFilters: Record<string, AttributeFilter> = {
  p: ({ style }) => ({ style: alignment(style) }),
  h1: ({ style }) => ({ style: alignment(style) }),
  h2: ({ style }) => ({ style: alignment(style) }),
  h3: ({ style }) => ({ style: alignment(style) }),
  h4: ({ style }) => ({ style: alignment(style) }),
  div: (attributes) => formulaAttributes(attributes, 'block-math') ?? { style: alignment(attributes.style) },
  span: (attributes) => formulaAttributes(attributes, 'inline-math'),
  ul: (attributes) => ({ 'data-type': attributes['data-type'] === 'taskList' ? 'taskList' : undefined }),
  ol: ({ start }) => ({ start: integerBetween(start, 0, 100_000) }),
  li: (attributes) => {
    if (attributes['data-type'] !== 'taskItem') return {}
    return { 'data-type': 'taskItem', 'data-checked': attributes['data-checked'] === 'true' ? 'true' : 'false' }
  },
  input: ({ type, checked }) =>
    type === 'checkbox'
      ? { type, checked: checked === undefined ? undefined : 'checked', disabled: 'disabled' }
      : undefined,
  code: (attributes) => ({ class: languageClass(attributes.class) }),
  th: cellAttributes,
  td: cellAttributes,
  a: ({ href = '', title }) => {
    const link = linkAttributes(href)
    return link && { ...link, title }
  },
  img: ({ src, alt, title, ...attributes }, origin) => {
    const url = mediaUrl(src, origin)
    return url ? { src: url, alt, title, ...dimensions(attributes) } : undefined
  },
  video: ({ src, poster, ...attributes }, origin) => {
    const url = mediaUrl(src, origin)
    if (!url) return undefined
    return {
      src: url,
      controls: 'controls',
      preload: 'metadata',
      poster: mediaUrl(poster, origin),
      ...dimensions(attributes),
    }
  },
}

function cellAttributes({ style, align, colspan, rowspan, colwidth = '' }: Attributes) {
  return {
    style: alignment(style) ?? alignment(`text-align: ${align}`),
    colspan: integerBetween(colspan, 2, 100),
    rowspan: integerBetween(rowspan, 2, 1000),
    colwidth: /^\d{1,5}(,\d{1,5}){0,99}$/.test(colwidth) ? colwidth : undefined,
  }
}

function dimensions({ width, height }: Attributes) {
  return { width: integerBetween(width, 1, 10_000), height: integerBetween(height, 1, 10_000) }
}

/** The markup of the editor's own formulas. */
function formulaAttributes(attributes: Attributes, type: 'inline-math' | 'block-math') {
  const latex = attributes['data-latex'] ?? ''
  if (attributes['data-type'] !== type || !latex || latex.length > maxFormulaLength) return undefined
  return { 'data-type': type, 'data-latex': latex }
}

function languageClass(classes = ''): string | undefined {
  return /(?:^|\s)(language-[\w+#.-]{1,30})(?:\s|$)/.exec(classes)?.[1]
}

function alignment(style = ''): string | undefined {
  const side = /(?:^|;)\s*text-align\s*:\s*(left|center|right|justify)\s*(?:;|$)/i.exec(style.slice(0, 1000))?.[1]
  return side && `text-align: ${side.toLowerCase()}`
}

function linkAttributes(text: string): { href: string; rel?: string; target?: string } | undefined {
  const href = text.trim()
  if (href.length > maxUrlLength) return undefined
  if (/^(?:\/(?![/\\])|#)[^\s\\]*$/.test(href)) return { href }
  const url = URL.parse(href)
  if (url?.protocol === 'mailto:') return { href: url.href }
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined
  return { href: url.href, rel: 'noopener noreferrer nofollow', target: '_blank' }
}

/** An uploaded file of this site, also with the site's origin in front, or an HTTPS address elsewhere. */
function mediaUrl(text = '', origin = ''): string | undefined {
  const address = text.trim()
  const own = origin && address.startsWith(`${origin}/`) ? address.slice(origin.length) : address
  if (/^\/uploads\/[\w/.-]+$/.test(own) && !own.includes('..')) return own
  const url = own.length > maxUrlLength ? null : URL.parse(own)
  return url?.protocol === 'https:' ? url.href : undefined
}

function integerBetween(text = '', min: number, max: number): string | undefined {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  return number >= min && number <= max ? String(number) : undefined
}

function withoutUndefined(attributes: Record<string, string | undefined>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** The sanitizer writes no other entities. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
}
