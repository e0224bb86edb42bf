/** Prepares an article's HTML, which the server has sanitized and normalized, for the page. */

export interface Heading {
  id: string
  text: string
  level: 2 | 3
}

export interface PreparedHtml {
  html: string
  /** The first ones: readers do not scan a longer table of contents. */
  headings: Heading[]
}

const maxHeadings = 200

/** Adds ids to headings, LaTeX text to formulas until they are rendered, and scrolling boxes to wide elements. */
export function prepareHtml(content: string): PreparedHtml {
  const headings: Heading[] = []
  const uniqueId = idGenerator()
  const html = shiftHeadings(content)
    .replace(formula, '$1<code>$3</code>$4')
    .replace(codeBlock, (block, inside: string) => `<div class="code-box"${language(inside)}>${block}</div>`)
    .replace(/<table\b/g, '<div class="table-box"><table')
    .replace(/<\/table>/g, '</table></div>')
    .replace(/<input\b[^>]*>/g, toDisabledCheckbox)
    .replace(heading, (whole, depth: string, attributes: string, inside: string) => {
      const text = textOf(inside)
      if (text === '') return whole
      const id = uniqueId(text)
      if (headings.length < maxHeadings) headings.push({ id, text, level: depth === '2' ? 2 : 3 })
      // Focusable for links from the table of contents.
      return `<h${depth} id="${id}" tabindex="-1"${attributes.replace(/\s(?:id|tabindex)="[^"]*"/g, '')}>${inside}</h${depth}>`
    })
  return { html: withLazyPictures(html), headings }
}

const formula = /(<(span|div)\b[^>]*\bdata-latex="([^"]*)"[^>]*>)\s*(<\/\2>)/g
const codeBlock = /<pre\b[^>]*>([\s\S]*?)<\/pre>/g
const heading = /<h([23])\b([^>]*)>([\s\S]*?)<\/h\1>/g

/** The page title is the only `h1`: the headings of a text that uses it are shifted by one level. */
function shiftHeadings(html: string): string {
  if (!/<h1\b/.test(html)) return html
  return html.replace(/<(\/?)h([1-5])\b/g, (_tag, slash: string, depth: string) => `<${slash}h${Number(depth) + 1}`)
}

function language(inside: string): string {
  const name = /^\s*<code\b[^>]*\bclass="[^"]*\blanguage-([\w+#.-]+)/.exec(inside)?.[1] ?? ''
  return name === '' || name === 'plaintext' ? '' : ` data-language="${name}"`
}

/** Readers see whether a task is done but cannot change it. */
function toDisabledCheckbox(input: string): string {
  if (!/\btype="checkbox"/.test(input)) return ''
  const isDone = /\schecked\b/.test(input)
  return `<input type="checkbox" disabled aria-label="${isDone ? '已完成' : '未完成'}"${isDone ? ' checked' : ''}>`
}

/** Ids from the texts of headings, each id once. */
function idGenerator(): (text: string) => string {
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  return (text) => {
    const words = text
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 40)
      .toWellFormed()
    const name = `part-${words.replace(/^-+|-+$/g, '') || String(taken.size + 1)}`
    let number = numbers.get(name) ?? 1
    let id = name
    for (; taken.has(id); id = `${name}-${number}`) number += 1
    numbers.set(name, number)
    taken.add(id)
    return id
  }
}

function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&#39;': "'",
}

/** All but the first picture load lazily. Without an `alt`, screen readers would read the address. */
function withLazyPictures(html: string): string {
  let count = 0
  return html.replace(/<img\b([^>]*)/g, (_tag, attributes: string) => {
    count += 1
    const loading = count === 1 ? '' : ' loading="lazy"'
    const alt = /\salt=/.test(attributes) ? '' : ' alt=""'
    return `<img${loading} decoding="async"${alt}${attributes}`
  })
}
