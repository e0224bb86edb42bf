import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, extname, join, posix } from 'node:path'
import sanitize from 'sanitize-html'
import { Unconvertible } from '../converter.ts'
import { decodeText } from './decode-text.ts'
import { type BookFile, type Chapter, escapeXml, writeEpub } from './epub.ts'

const mostPages = 5000
const pageLimit = 8e6
const pictureLimit = 20e6

interface Topic {
  title: string
  level: number
  path: string
}

/** The pages of an unpacked help file, in the order of its table of contents. */
export async function bookOfPages(folder: string, target: string): Promise<void> {
  const files = await filesIn(folder)
  const topics = await topicsIn(folder, files)
  if (topics.length === 0) throw new Unconvertible('damaged', 'chm: no pages')
  await writeEpub(target, { title: '', author: '', chapters: chapters(folder, files, topics) })
}

/** By name in lower case, since pages are not careful with it; links are left out. */
async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return new Map(names.map((name) => [name.toLowerCase(), name]))
}

async function topicsIn(folder: string, files: Map<string, string>): Promise<Topic[]> {
  const contents = [...files.values()].find((name) => extname(name).toLowerCase() === '.hhc')
  const listed = contents ? readContents(await textOf(join(folder, contents)), posix.dirname(contents)) : []
  const known = listed.flatMap((topic) => {
    const path = files.get(topic.path.toLowerCase())
    return path ? [{ ...topic, path }] : []
  })
  const seen = new Set<string>()
  const first = known.filter(({ path }) => !seen.has(path) && seen.add(path))
  if (first.length > 0) return first.slice(0, mostPages)
  const pages = [...files.values()]
    .filter((name) => /\.html?$/i.test(name))
    .toSorted((a, b) => a.localeCompare(b, 'zh', { numeric: true }))
  return pages.slice(0, mostPages).map((path) => ({ title: basename(path, extname(path)), level: 0, path }))
}

/** Lists in lists of objects with a name and a place. */
function readContents(html: string, folder: string): Topic[] {
  const topics: Topic[] = []
  let level = -1
  for (const [tag, closing, , inside = ''] of html.matchAll(/<(\/?)(ul)\b[^>]*>|<object\b[^>]*>([^]*?)<\/object>/gi)) {
    if (/^<\/?ul/i.test(tag)) level += closing ? -1 : 1
    const values = new Map(
      [...inside.matchAll(/<param\s+name\s*=\s*"?(\w+)"?\s+value\s*=\s*(?:"([^"]*)"|([^\s>]+))/gi)].map(
        ([, name = '', quoted, bare]) => [name.toLowerCase(), plain(quoted ?? bare ?? '')] as const,
      ),
    )
    const [title, local] = [values.get('name'), values.get('local')]
    if (!title || !local) continue
    const path = posix
      .normalize(posix.join(folder, decoded(local.replace(/[#?].*$/, '').replaceAll('\\', '/'))))
      .replace(/^\/+/, '')
    topics.push({ title, level: Math.max(0, Math.min(level, 5)), path })
  }
  return topics
}

async function* chapters(folder: string, files: Map<string, string>, topics: Topic[]): AsyncGenerator<Chapter> {
  for (const { title, level, path } of topics) {
    const html = await textOf(join(folder, path))
    const pictures = new Map<string, string>()
    const body = cleaned(html, (src) => {
      const target = posix
        .normalize(posix.join(posix.dirname(path), decoded(src.replaceAll('\\', '/'))))
        .replace(/^\/+/, '')
      const file = files.get(target.toLowerCase())
      if (!file || !/\.(png|jpe?g|gif|bmp)$/i.test(file)) return undefined
      const name = `p${Buffer.from(file).toString('base64url').slice(0, 120)}${extname(file).toLowerCase()}`
      pictures.set(name, file)
      return name
    })
    const heading = /<h[1-3]\b/i.test(body) ? '' : `<h2>${escapeXml(title)}</h2>\n`
    yield { title, level, body: heading + body, files: await readPictures(folder, pictures) }
  }
}

async function readPictures(folder: string, pictures: Map<string, string>): Promise<BookFile[]> {
  const files: BookFile[] = []
  for (const [name, file] of pictures) {
    const { size } = await lstat(join(folder, file))
    if (size <= pictureLimit) files.push({ name, content: await readFile(join(folder, file)) })
  }
  return files
}

/** Words, tables and pictures of the file itself; no scripts, no styles, nothing from outside. */
function cleaned(html: string, picture: (src: string) => string | undefined): string {
  return sanitize(html, {
    allowedTags: [
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'p',
      'div',
      'br',
      'hr',
      'ul',
      'ol',
      'li',
      'dl',
      'dt',
      'dd',
      'blockquote',
      'pre',
      'table',
      'caption',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
      'b',
      'strong',
      'i',
      'em',
      'u',
      'sub',
      'sup',
      'code',
      'img',
    ],
    allowedAttributes: { img: ['src', 'alt'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] },
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'head'],
    transformTags: {
      img: (_, attributes) => {
        const src = picture(attributes['src'] ?? '')
        const attribs: Record<string, string> = src ? { src, alt: '' } : {}
        return { tagName: src ? 'img' : 'br', attribs }
      },
    },
  })
}

async function textOf(path: string): Promise<string> {
  const { size } = await lstat(path)
  if (size > pageLimit) return ''
  const bytes = await readFile(path)
  const named = /charset\s*=\s*["']?\s*([\w-]+)/i.exec(bytes.subarray(0, 2048).toString('latin1'))?.[1]
  const { text, encoding } = decodeText(bytes)
  if (!named || encoding === 'utf-8' || encoding.startsWith('utf-16')) return text
  try {
    return new TextDecoder(/^gb/i.test(named) ? 'gb18030' : named).decode(bytes)
  } catch {
    return text
  }
}

function plain(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => entities[name] ?? ' ').trim()
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
