import sanitize, { type Attributes, type IOptions, type Tag } from 'sanitize-html'
import { longestArticle } from '#shared/contract/articles.ts'
import { errors } from '#shared/errors.ts'

/** Deeper than anything people write; what costs more than a walk through the text costs it by depth. */
const deepest = 200
/** What is deeper than this stays as text, without its tags. */
const deepestShown = 60
const mostTags = 50_000
const longestAddress = 2000
const longestFormula = 5000
const openingLength = 200

/** What an article may consist of: everything else is taken out, and only the text in it stays. */
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

const renamed: Record<string, string> = { b: 'strong', i: 'em', del: 's', strike: 's', ins: 'u', h5: 'h4', h6: 'h4' }

/** What stands in these is no text of the article. */
const wordless =
  'script style textarea select option xmp noscript noembed noframes iframe object svg math template title'

const rules: IOptions = {
  allowedTags: Object.keys(allowedAttributes),
  allowedAttributes,
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nestingLimit: deepestShown,
  parseStyleAttributes: false,
  nonTextTags: wordless.split(' '),
}

/** An article's HTML as it may be kept and shown to everybody. `origin` is the site's own address, if it has one. */
export function cleanArticle(given: string, origin = ''): string {
  if (given.split('<').length > mostTags) throw errors.request.invalid('正文的格式太复杂，请分成几篇文章')
  let depth = 0
  const around: Around = { origin }
  const html = sanitize(given, {
    ...rules,
    transformTags: { '*': (name, attributes) => shaped(...gathered(name, attributes, around), origin) },
    // What stands in a film is for who cannot play it.
    textFilter: (text, tag) => (tag === 'video' ? '' : text),
    onOpenTag: () => {
      depth += 1
      if (depth > deepest) throw errors.request.invalid('正文的层级太多，请去掉一些嵌套的列表、引用或表格')
    },
    onCloseTag: (name) => {
      depth -= 1
      if (name === 'pre' || name === 'video') delete around[name]
    },
  })
  const clean = html.replaceAll('\0', '').toWellFormed().trim()
  if (clean.length > longestArticle) throw errors.request.invalid(`正文最多 ${longestArticle} 个字符`)
  return clean
}

/** The words of a clean article, a line for each paragraph. Formulas are written as they were typed. */
export function textOf(html: string): string {
  const words = html
    .replace(/<[^>]*\sdata-latex="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[bh]r \/>|<\/(?:p|h[1-4]|li|blockquote|pre|tr|div|ul|ol|table)>/g, '\n')
    .replace(/<\/t[dh]>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
  return decoded(words).trim()
}

const formulas = /<(span|div)[^>]*\sdata-latex="([^"]*)"[^>]*><\/\1>/g
/** Letters, digits and simple signs: it reads the same unset. */
const plainFormula = /^[\w\s.,:+\-*/=()%^]{1,20}$/

/** How a clean article begins, for who wrote no summary. */
export function openingOf(html: string): string {
  // The source of a longer formula says nothing to who reads on.
  const shown = html.replaceAll(formulas, (_whole, _tag, source: string) => (plainFormula.test(source) ? source : '…'))
  const text = textOf(shown)
    .slice(0, openingLength * 2)
    .replace(/\s+/g, ' ')
  return Array.from(text).slice(0, openingLength).join('').trim().toWellFormed()
}

/** Whether there is nothing to read and nothing to look at. */
export function isEmpty(html: string): boolean {
  return !/<(?:img|video) /.test(html) && textOf(html) === ''
}

/** The first picture of a clean article. */
export function coverOf(html: string): string {
  return decoded(/<img [^>]*?\bsrc="([^"]*)"/.exec(html)?.[1] ?? '')
}

const uploaded = / (?:src|href|poster)="(\/uploads\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z0-9]{1,10})"/g

/** The files of this site that a clean article shows or leads to, once each. */
export function filesIn(html: string): string[] {
  const tags = html.match(/<(?:img|video|a) [^>]*>/g) ?? []
  const found = tags.flatMap((tag) => [...tag.matchAll(uploaded)])
  return [...new Set(found.map(([, path = '']) => path))]
}

/** The site's own address, and what is open and says something about a tag in it. */
interface Around {
  origin: string
  pre?: { language: string | undefined }
  /** One that does not say itself where it is. */
  video?: Attributes
}

/** Other editors put in two tags what is one here, and draw formulas: what belongs together, in the tag it is kept in. */
function gathered(name: string, given: Attributes, around: Around): [string, Attributes] {
  if (name === 'pre') around.pre = { language: languageIn(given.class) }
  if (name === 'code') return [name, { class: languageIn(given.class) ?? around.pre?.language ?? '' }]
  if (name === 'video' && !given.src) around.video = given
  if (name === 'source' && around.video && mediaAddress(given.src, around.origin)) {
    const film = { ...around.video, src: given.src ?? '' }
    delete around.video
    return ['video', film]
  }
  const drawn = name === 'img' && formula({ ...given, 'data-type': 'inline-math' }, 'inline-math')
  return drawn ? ['span', drawn] : [name, given]
}

/** A tag with only what is allowed in it. One that makes no sense so is dropped, and its text stays. */
function shaped(name: string, given: Attributes, origin: string): Tag {
  const tagName = renamed[name] ?? name
  const shape = Object.hasOwn(shapes, tagName) ? shapes[tagName] : () => ({})
  const attribs = shape?.(given, origin)
  // A tag without a name is none; any other that is not allowed would be remembered, and end the next one at its depth.
  return attribs ? { tagName, attribs: present(attribs) } : { tagName: '', attribs: {} }
}

type Shape = (given: Attributes, origin: string) => Record<string, string | undefined> | undefined

const shapes: Record<string, Shape> = {
  p: ({ style }) => ({ style: aligned(style) }),
  h1: ({ style }) => ({ style: aligned(style) }),
  h2: ({ style }) => ({ style: aligned(style) }),
  h3: ({ style }) => ({ style: aligned(style) }),
  h4: ({ style }) => ({ style: aligned(style) }),
  div: (given) => formula(given, 'block-math') ?? { style: aligned(given.style) },
  span: (given) => formula(given, 'inline-math'),
  ul: (given) => ({ 'data-type': given['data-type'] === 'taskList' ? 'taskList' : undefined }),
  ol: ({ start }) => ({ start: numberIn(start, 0, 100_000) }),
  li: (given) => {
    if (given['data-type'] !== 'taskItem') return {}
    return { 'data-type': 'taskItem', 'data-checked': given['data-checked'] === 'true' ? 'true' : 'false' }
  },
  input: ({ type, checked }) =>
    type === 'checkbox'
      ? { type, checked: checked === undefined ? undefined : 'checked', disabled: 'disabled' }
      : undefined,
  code: (given) => ({ class: languageIn(given.class) }),
  th: cell,
  td: cell,
  a: ({ href = '', title }) => {
    const to = linked(href)
    return to && { ...to, title }
  },
  img: ({ src, alt, title, ...given }, origin) => {
    const shown = mediaAddress(src, origin)
    return shown ? { src: shown, alt, title, ...sides(given) } : undefined
  },
  video: ({ src, poster, ...given }, origin) => {
    const shown = mediaAddress(src, origin)
    if (!shown) return undefined
    return {
      src: shown,
      controls: 'controls',
      preload: 'metadata',
      poster: mediaAddress(poster, origin),
      ...sides(given),
    }
  },
}

function cell({ style, align, colspan, rowspan, colwidth = '' }: Attributes) {
  return {
    style: aligned(style) ?? aligned(`text-align: ${align}`),
    colspan: numberIn(colspan, 2, 100),
    rowspan: numberIn(rowspan, 2, 1000),
    colwidth: /^\d{1,5}(,\d{1,5}){0,99}$/.test(colwidth) ? colwidth : undefined,
  }
}

function sides({ width, height }: Attributes) {
  return { width: numberIn(width, 1, 10_000), height: numberIn(height, 1, 10_000) }
}

/** As the editor's own formulas are written. */
function formula(given: Attributes, type: 'inline-math' | 'block-math') {
  const latex = given['data-latex'] ?? ''
  if (given['data-type'] !== type || !latex || latex.length > longestFormula) return undefined
  return { 'data-type': type, 'data-latex': latex }
}

function languageIn(classes = ''): string | undefined {
  return /(?:^|\s)(language-[\w+#.-]{1,30})(?:\s|$)/.exec(classes)?.[1]
}

function aligned(style = ''): string | undefined {
  const side = /(?:^|;)\s*text-align\s*:\s*(left|center|right|justify)\s*(?:;|$)/i.exec(style.slice(0, 1000))?.[1]
  return side && `text-align: ${side.toLowerCase()}`
}

function linked(given: string): { href: string; rel?: string; target?: string } | undefined {
  const href = given.trim()
  if (href.length > longestAddress) return undefined
  if (/^(?:\/(?![/\\])|#)[^\s\\]*$/.test(href)) return { href }
  const url = URL.parse(href)
  if (url?.protocol === 'mailto:') return { href: url.href }
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined
  return { href: url.href, rel: 'noopener noreferrer nofollow', target: '_blank' }
}

/** A file of this site, also when it was copied with the site's name in front, or one elsewhere that comes encrypted. */
function mediaAddress(given = '', origin = ''): string | undefined {
  const address = given.trim()
  const own = origin && address.startsWith(`${origin}/`) ? address.slice(origin.length) : address
  if (/^\/uploads\/[\w/.-]+$/.test(own) && !own.includes('..')) return own
  const url = own.length > longestAddress ? null : URL.parse(own)
  return url?.protocol === 'https:' ? url.href : undefined
}

function numberIn(given = '', least: number, most: number): string | undefined {
  const number = /^\d{1,6}$/.test(given) ? Number(given) : Number.NaN
  return number >= least && number <= most ? String(number) : undefined
}

function present(given: Record<string, string | undefined>): Attributes {
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** The sanitiser writes no others. */
function decoded(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
}
