import { Parser } from 'htmlparser2'
import type { Block, HeadingLevel, Inline, Mark } from '#shared/reflow.ts'

const marks: Record<string, Mark> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  cite: 'italic',
  code: 'code',
  tt: 'code',
  kbd: 'code',
  sup: 'superscript',
  sub: 'subscript',
  s: 'strike',
  del: 'strike',
  strike: 'strike',
  u: 'underline',
  ins: 'underline',
}
const skipped = new Set([
  'script',
  'style',
  'head',
  'title',
  'svg',
  'math',
  'template',
  'audio',
  'video',
  'object',
  'rt',
])
/** What does not end a paragraph. */
const inline = new Set([
  ...Object.keys(marks),
  'a',
  'span',
  'font',
  'small',
  'big',
  'abbr',
  'ruby',
  'rb',
  'rp',
  'img',
  'image',
])
const maxMarks = 8
/** Old books set their headings in bold and in one of the three largest fonts of HTML. */
const minHeadingFont = 5
const fontLevels: Record<number, HeadingLevel> = { 7: 1, 6: 2, 5: 3 }
const maxHeadingLength = 60
const maxAlt = 300

/** A picture is known by its address until the file is asked for it. */
export type HtmlBlock = Exclude<Block, { kind: 'picture' }> | { kind: 'image'; src: string; alt: string }

interface Table {
  rows: Inline[][][]
  hasHead: boolean
}

/** The blocks of an XHTML or HTML page: only text and its structure, so that nothing else can come through. */
export function htmlToBlocks(html: string): HtmlBlock[] {
  const builder = blockBuilder()
  const parser = new Parser(builder, { decodeEntities: true, recognizeSelfClosing: true, lowerCaseTags: true })
  parser.write(html)
  parser.end()
  return builder.blocks
}

function blockBuilder() {
  const blocks: HtmlBlock[] = []
  /** Those of the text so far, which stand behind it. */
  const images: HtmlBlock[] = []
  const lists: { isOrdered: boolean; count: number }[] = []
  const tables: Table[] = []
  let content: Inline[] = []
  let open: { name: string; mark: Mark; content: Inline[] }[] = []
  let heading: HeadingLevel | undefined
  let marker: string | undefined
  let skipDepth = 0
  let preDepth = 0
  let quoteDepth = 0
  /** The largest font of this block, from 1 to 7: some books have no other headings. */
  let fontSize = 0

  const into = () => open.at(-1)?.content ?? content
  const close = (from: number) => {
    for (const { mark, content: inside } of open.splice(from).toReversed()) {
      if (inside.length > 0) into().push({ mark, content: inside })
    }
  }
  /** Ends the text so far; emphasis goes on in the next block. */
  const flush = () => {
    const names = open.map(({ name, mark }) => ({ name, mark }))
    close(0)
    const text = preDepth > 0 ? content : trim(content)
    content = []
    open = names.map(({ name, mark }) => ({ name, mark, content: [] }))
    const size = fontSize
    fontSize = 0
    const cell = tables.at(-1)?.rows.at(-1)?.at(-1)
    if (hasText(text)) {
      if (cell) cell.push(...(cell.length > 0 ? [' '] : []), ...text)
      else blocks.push(toBlock(text, size))
    }
    if (tables.length === 0) blocks.push(...images.splice(0))
  }
  const toBlock = (text: Inline[], size: number): HtmlBlock => {
    if (preDepth > 0) return { kind: 'code', text: plain(text).replace(/^\n|\s+$/g, '') }
    if (heading !== undefined) return { kind: 'heading', level: heading, content: text }
    if (lists.length === 0 && size >= minHeadingFont && isBoldLine(text))
      return { kind: 'heading', level: fontLevels[size] ?? 1, content: [plain(text)] }
    if (lists.length === 0) return { kind: quoteDepth > 0 ? 'quote' : 'paragraph', content: text }
    const own = marker ?? ''
    marker = ''
    return { kind: 'item', marker: own, depth: Math.min(4, lists.length - 1), content: text }
  }
  const endTable = () => {
    const table = tables.pop()
    const rows = table?.rows.filter((cells) => cells.some(hasText)) ?? []
    if (!table || rows.length === 0) return
    const cell = tables.at(-1)?.rows.at(-1)?.at(-1)
    // A table in a cell is text there.
    if (cell) cell.push(rows.map((cells) => cells.map(plain).join(' ')).join(' '))
    else blocks.push({ kind: 'table', hasHead: table.hasHead && rows.length > 1, rows })
  }

  return {
    blocks,
    onopentag(name: string, attributes: Record<string, string>) {
      if (skipped.has(name)) skipDepth += 1
      // The cover of a book is often a picture in an SVG.
      if (name === 'img' || name === 'image') {
        const src = attributes['src'] ?? attributes['recindex'] ?? attributes['xlink:href'] ?? attributes['href']
        if (src) images.push({ kind: 'image', src, alt: (attributes['alt'] ?? '').slice(0, maxAlt) })
      }
      if (skipDepth > 0) return
      const mark = marks[name]
      if (mark && preDepth === 0) {
        if (open.length < maxMarks) open.push({ name, mark, content: [] })
        return
      }
      if (name === 'br') {
        if (preDepth > 0) into().push('\n')
        else flush()
        return
      }
      if (name === 'font') fontSize = Math.max(fontSize, Number(attributes['size']) || 0)
      if (inline.has(name)) return
      flush()
      if (name === 'hr') blocks.push({ kind: 'rule' })
      else if (name === 'pre') preDepth += 1
      else if (name === 'blockquote') quoteDepth += 1
      else if (name === 'ul' || name === 'ol') lists.push(openList(name, attributes))
      else if (name === 'li') marker = nextMarker(lists.at(-1))
      else if (name === 'table') tables.push({ rows: [], hasHead: false })
      else if (name === 'tr') tables.at(-1)?.rows.push([])
      else if (name === 'td' || name === 'th') openCell(tables.at(-1), name)
      else if (/^h[1-6]$/.test(name)) heading = Math.min(4, Number(name[1])) as HeadingLevel
    },
    ontext(text: string) {
      if (skipDepth === 0) append(into(), preDepth > 0 ? text : text.replace(/[\s\u00a0]+/g, ' '))
    },
    onclosetag(name: string) {
      if (skipped.has(name)) skipDepth = Math.max(0, skipDepth - 1)
      if (skipDepth > 0 || skipped.has(name)) return
      if (marks[name] && preDepth === 0) {
        const index = open.findLastIndex((entry) => entry.name === name)
        if (index !== -1) close(index)
        return
      }
      if (inline.has(name) || name === 'br') return
      flush()
      if (name === 'pre') preDepth = Math.max(0, preDepth - 1)
      else if (name === 'blockquote') quoteDepth = Math.max(0, quoteDepth - 1)
      else if (name === 'ul' || name === 'ol') lists.pop()
      else if (name === 'table') endTable()
      else if (/^h[1-6]$/.test(name)) heading = undefined
    },
    onend() {
      flush()
      while (tables.length > 0) endTable()
    },
  }
}

/** The parser gives the text around an entity in pieces. */
function append(content: Inline[], text: string): void {
  const last = content.at(-1)
  if (typeof last === 'string') content[content.length - 1] = last + text
  else content.push(text)
}

/** All cells of the first row are headings, or it is a row as any other. */
function openCell(table: Table | undefined, name: string): void {
  const row = table?.rows.at(-1)
  if (!table || !row) return
  if (table.rows.length === 1) table.hasHead = name === 'th' && (table.hasHead || row.length === 0)
  row.push([])
}

function openList(name: string, { start = '1' }: Record<string, string>): { isOrdered: boolean; count: number } {
  return { isOrdered: name === 'ol', count: /^\d{1,6}$/.test(start) ? Number(start) - 1 : 0 }
}

function nextMarker(list: { isOrdered: boolean; count: number } | undefined): string {
  if (!list) return ''
  list.count += 1
  return list.isOrdered ? `${list.count}.` : '•'
}

function plain(content: readonly Inline[]): string {
  return content.map((part) => (typeof part === 'string' ? part : plain(part.content))).join('')
}

function isBoldLine(content: readonly Inline[]): boolean {
  const isBold = content.every((part) => typeof part === 'object' && part.mark === 'bold')
  return isBold && plain(content).length <= maxHeadingLength
}

function hasText(content: readonly Inline[]): boolean {
  return /\S/.test(plain(content))
}

/** Without the blanks at both ends. */
function trim(content: readonly Inline[]): Inline[] {
  const whole = content.filter((part) => part !== '')
  const [first] = whole
  if (typeof first === 'string') whole[0] = first.trimStart()
  const last = whole.at(-1)
  if (typeof last === 'string') whole[whole.length - 1] = last.trimEnd()
  return whole.filter((part) => part !== '')
}
