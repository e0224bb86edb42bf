import { Parser } from 'htmlparser2'
import type { MarkedToken, Token, Tokens } from 'marked'
import { Unconvertible } from '../converter.ts'
import { escapeXml } from '../xml.ts'
import type { Chapter, EpubFile } from './epub.ts'
import { lexMarkdown } from './markdown-lexer.ts'
import { splitChapters } from './text.ts'

/** Those of the chapter that is written, and how many there were so far. */
interface Pictures {
  files: EpubFile[]
  count: number
}

/** In characters. A longer chapter becomes several files, so that the layout of its first page does not take long. */
const maxPartLength = 20_000
/** Headings of a lower level do not begin a chapter. */
const chapterDepth = 2

/** The chapters of a Markdown file, one for each heading of the first two levels. */
export function markdownToChapters(text: string): Iterable<Chapter> {
  let tokens: Token[]
  try {
    tokens = lexMarkdown(text.replace(/\r\n?/g, '\n').replace(frontMatter, ''))
  } catch {
    // Nested deeper than the parser goes.
    return splitChapters(text)
  }
  return toChapters(tokens)
}

/** Facts about the file, which are not part of its text. */
const frontMatter = /^\ufeff?---\n(?:(?!---\n)[^\n]*\n){0,200}?---\n/

function* toChapters(tokens: readonly Token[]): Generator<Chapter> {
  let heading: Tokens.Heading | undefined
  let body = ''
  let isEmpty = true
  const pictures: Pictures = { files: [], count: 0 }
  function* flush(): Generator<Chapter> {
    if (body === '') return
    isEmpty = false
    const title = heading && titleOf(heading)
    yield { level: (heading?.depth ?? 1) - 1, body, files: pictures.files, ...(title && { title }) }
    heading = undefined
    body = ''
    pictures.files = []
  }
  for (const token of tokens) {
    if (isHeading(token) && token.depth <= chapterDepth) {
      yield* flush()
      heading = token
    }
    body += renderBlock(token, pictures)
    if (body.length > maxPartLength) yield* flush()
  }
  yield* flush()
  // It may have front matter, or addresses of links.
  if (isEmpty) throw new Unconvertible('empty', 'markdown')
}

/** One token of a block as XHTML; pictures that are in the text itself are added to `pictures`. */
function renderBlock(token: Token, pictures: Pictures): string {
  const known = token as MarkedToken
  const inside = (tokens: readonly Token[] = []) => tokens.map((child) => renderBlock(child, pictures)).join('')
  switch (known.type) {
    case 'heading':
      return `<h${known.depth}>${renderInline(known.tokens, pictures)}</h${known.depth}>\n`
    case 'paragraph':
      return `<p>${renderInline(known.tokens, pictures)}</p>\n`
    case 'text':
      return `${renderInline(known.tokens ?? [token], pictures)}\n`
    case 'code':
      return `<pre>${escapeXml(known.text)}</pre>\n`
    case 'blockquote':
      return `<blockquote>${inside(known.tokens)}</blockquote>\n`
    case 'hr':
      return '<hr/>\n'
    case 'list':
      return renderList(known, inside)
    case 'checkbox':
      return renderCheckbox(known)
    case 'table':
      return renderTable(known, pictures)
    case 'html':
      // Markup of the author becomes text: nothing else of it can come through.
      return `<p>${escapeXml(plainText(known.text).trim())}</p>\n`
    default:
      return ''
  }
}

function renderList({ ordered, start, items }: Tokens.List, inside: (tokens: Token[]) => string): string {
  const rows = items.map(({ tokens }) => `<li>${inside(tokens)}</li>`).join('\n')
  return ordered ? `<ol start="${Number(start) || 1}">${rows}</ol>\n` : `<ul>${rows}</ul>\n`
}

function renderTable({ header, rows }: Tokens.Table, pictures: Pictures): string {
  const row = (cells: readonly Tokens.TableCell[], tag: string) =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${renderInline(tokens, pictures)}</${tag}>`).join('')}</tr>`
  return `<table>${[row(header, 'th'), ...rows.map((cells) => row(cells, 'td'))].join('\n')}</table>\n`
}

function renderInline(tokens: readonly Token[] = [], pictures: Pictures): string {
  return tokens.map((token) => renderOne(token, pictures)).join('')
}

function renderOne(token: Token, pictures: Pictures): string {
  const known = token as MarkedToken
  switch (known.type) {
    case 'strong':
      return `<b>${renderInline(known.tokens, pictures)}</b>`
    case 'em':
      return `<i>${renderInline(known.tokens, pictures)}</i>`
    case 'del':
      return `<s>${renderInline(known.tokens, pictures)}</s>`
    case 'codespan':
      return `<code>${escapeXml(known.text)}</code>`
    case 'br':
      return '<br/>'
    case 'link':
      return renderInline(known.tokens, pictures)
    case 'image':
      return renderImage(known, pictures)
    // In a list with blank lines between its items.
    case 'checkbox':
      return renderCheckbox(known)
    // A tag alone: the text that it is around has tokens of its own.
    case 'html':
      return ''
    default:
      return renderText(known, pictures)
  }
}

function renderCheckbox({ checked }: Tokens.Checkbox): string {
  return checked ? '[x] ' : '[ ] '
}

function renderText(token: MarkedToken, pictures: Pictures): string {
  if ('tokens' in token && token.tokens) return renderInline(token.tokens, pictures)
  return 'text' in token ? escapeXml(decodeEntities(token.text)) : ''
}

/** A picture that is in the text itself; of others only their description is known. */
function renderImage({ href, text }: Tokens.Image, pictures: Pictures): string {
  const [, type = '', content = ''] = /^data:image\/(png|jpeg|gif);base64,([\w+/=\s]+)$/.exec(href) ?? []
  if (content === '') return escapeXml(decodeEntities(text))
  pictures.count += 1
  const name = `p${pictures.count}.${type === 'jpeg' ? 'jpg' : type}`
  pictures.files.push({ name, content: Buffer.from(content, 'base64') })
  return `<img src="${name}" alt="${escapeXml(text)}"/>`
}

function titleOf({ tokens }: Tokens.Heading): string {
  return plainText(renderInline(tokens, { files: [], count: 0 })).trim()
}

/** Marked leaves `&amp;` and the like as they are written. */
function decodeEntities(text: string): string {
  return text.includes('&') ? plainText(text.replaceAll('<', '&lt;')) : text
}

function plainText(html: string): string {
  let text = ''
  let hidden = 0
  const parser = new Parser({
    onopentagname: (name) => void (hidden += hiddenTags.has(name) ? 1 : 0),
    onclosetag: (name) => void (hidden -= hiddenTags.has(name) ? 1 : 0),
    ontext: (part) => void (text += hidden > 0 ? '' : part),
  })
  parser.end(html)
  return text
}

const hiddenTags = new Set(['script', 'style'])

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}
