/** An article's HTML, which the server has cleaned and written out evenly, as pages show it. */

export interface Heading {
  id: string
  text: string
  level: 2 | 3
}

export interface Ready {
  html: string
  headings: Heading[]
}

/** Gives headings their ids, formulas their words until they are drawn, and wide things a box that they scroll in. */
export function readyHtml(content: string): Ready {
  const headings: Heading[] = []
  const html = below(content)
    .replace(formula, '$1<code>$3</code>$4')
    .replace(codeBlock, (block, inside: string) => `<div class="code-box"${language(inside)}>${block}</div>`)
    .replace(/<table\b/g, '<div class="table-box"><table')
    .replace(/<\/table>/g, '</table></div>')
    .replace(/<input\b[^>]*>/g, asMark)
    .replace(heading, (whole, depth: string, attributes: string, inside: string) => {
      const text = textOf(inside)
      if (text === '') return whole
      const id = idFor(text, headings)
      headings.push({ id, text, level: depth === '2' ? 2 : 3 })
      // The focus goes there with who comes from the contents.
      return `<h${depth} id="${id}" tabindex="-1"${attributes.replace(/\s(?:id|tabindex)="[^"]*"/g, '')}>${inside}</h${depth}>`
    })
  return { html: withPictures(html), headings }
}

const formula = /(<(span|div)\b[^>]*\bdata-latex="([^"]*)"[^>]*>)\s*(<\/\2>)/g
const codeBlock = /<pre\b[^>]*>([\s\S]*?)<\/pre>/g
const heading = /<h([23])\b([^>]*)>([\s\S]*?)<\/h\1>/g

/** The page's own title is its only first heading: an author's begin below it. */
function below(html: string): string {
  if (!/<h1\b/.test(html)) return html
  return html.replace(/<(\/?)h([1-5])\b/g, (_tag, slash: string, depth: string) => `<${slash}h${Number(depth) + 1}`)
}

function language(inside: string): string {
  const name = /^\s*<code\b[^>]*\bclass="[^"]*\blanguage-([\w+#.-]+)/.exec(inside)?.[1] ?? ''
  return name === '' || name === 'plaintext' ? '' : ` data-language="${name}"`
}

/** A box that was ticked when the article was written says so; readers do not tick. */
function asMark(input: string): string {
  if (!/\btype="checkbox"/.test(input)) return ''
  const isDone = /\schecked\b/.test(input)
  return `<input type="checkbox" disabled aria-label="${isDone ? '已完成' : '未完成'}"${isDone ? ' checked' : ''}>`
}

function idFor(text: string, taken: readonly Heading[]): string {
  const words = text
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 40)
    .toWellFormed()
  const name = `part-${words.replace(/^-+|-+$/g, '') || String(taken.length + 1)}`
  const isTaken = (id: string) => taken.some((other) => other.id === id)
  let id = name
  for (let next = 2; isTaken(id); next += 1) id = `${name}-${next}`
  return id
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

/** All but the first picture come when they are about to be seen; one without a name is not read out by its address. */
function withPictures(html: string): string {
  let seen = 0
  return html.replace(/<img\b([^>]*)/g, (_tag, attributes: string) => {
    seen += 1
    const late = seen === 1 ? '' : ' loading="lazy"'
    const name = /\salt=/.test(attributes) ? '' : ' alt=""'
    return `<img${late} decoding="async"${name}${attributes}`
  })
}
