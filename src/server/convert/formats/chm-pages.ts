import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, extname, join, posix } from 'node:path'
import sanitize from 'sanitize-html'
import { Unconvertible } from '../converter.ts'
import { decodeText } from './decode-text.ts'
import { escapeXml } from '../xml.ts'
import { type Chapter, type EpubFile, writeEpub } from './epub.ts'

const maxPages = 5000
const maxPageBytes = 8e6
const maxImageBytes = 20e6

interface Topic {
  title: string
  level: number
  path: string
}

/** Makes an EPUB of the pages of an unpacked CHM file, in the order of its table of contents. */
export async function chmPagesToEpub(folder: string, target: string): Promise<void> {
  const files = await indexFiles(folder)
  const topics = await readTopics(folder, files)
  if (topics.length === 0) throw new Unconvertible('damaged', 'chm: no pages')
  await writeEpub(target, { title: '', author: '', chapters: toChapters(folder, files, topics) })
}

/** By name in lower case: references in CHM files are case-insensitive. Symlinks are left out. */
async function indexFiles(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return new Map(names.map((name) => [name.toLowerCase(), name]))
}

async function readTopics(folder: string, files: Map<string, string>): Promise<Topic[]> {
  const contents = [...files.values()].find((name) => extname(name).toLowerCase() === '.hhc')
  const listed = contents ? parseContents(await readText(join(folder, contents)), posix.dirname(contents)) : []
  const seen = new Set<string>()
  const topics = listed.flatMap((topic) => {
    const path = files.get(topic.path.toLowerCase())
    if (!path || seen.has(path)) return []
    seen.add(path)
    return [{ ...topic, path }]
  })
  if (topics.length > 0) return topics.slice(0, maxPages)
  const pages = [...files.values()]
    .filter((name) => /\.html?$/i.test(name))
    .toSorted((a, b) => a.localeCompare(b, 'zh', { numeric: true }))
  return pages.slice(0, maxPages).map((path) => ({ title: basename(path, extname(path)), level: 0, path }))
}

/** The table of contents: nested `<ul>` of `<object>` with the parameters `Name` and `Local`. */
function parseContents(html: string, folder: string): Topic[] {
  const topics: Topic[] = []
  let level = -1
  for (const [tag, closing, , inside = ''] of html.matchAll(/<(\/?)(ul)\b[^>]*>|<object\b[^>]*>([^]*?)<\/object>/gi)) {
    if (/^<\/?ul/i.test(tag)) level += closing ? -1 : 1
    const values = new Map(
      [...inside.matchAll(/<param\s+name\s*=\s*"?(\w+)"?\s+value\s*=\s*(?:"([^"]*)"|([^\s>]+))/gi)].map(
        ([, name = '', quoted, bare]) => [name.toLowerCase(), unescapeEntities(quoted ?? bare ?? '')] as const,
      ),
    )
    const [title, local] = [values.get('name'), values.get('local')]
    if (!title || !local) continue
    const path = posix
      .normalize(posix.join(folder, decodePath(local.replace(/[#?].*$/, '').replaceAll('\\', '/'))))
      .replace(/^\/+/, '')
    topics.push({ title, level: Math.max(0, Math.min(level, 5)), path })
  }
  return topics
}

async function* toChapters(folder: string, files: Map<string, string>, topics: Topic[]): AsyncGenerator<Chapter> {
  for (const { title, level, path } of topics) {
    const html = await readText(join(folder, path))
    const images = new Map<string, string>()
    const body = sanitizeHtml(html, (src) => {
      const target = posix
        .normalize(posix.join(posix.dirname(path), decodePath(src.replaceAll('\\', '/'))))
        .replace(/^\/+/, '')
      const file = files.get(target.toLowerCase())
      if (!file || !/\.(png|jpe?g|gif|bmp)$/i.test(file)) return undefined
      const name = `p${Buffer.from(file).toString('base64url').slice(0, 120)}${extname(file).toLowerCase()}`
      images.set(name, file)
      return name
    })
    const heading = /<h[1-3]\b/i.test(body) ? '' : `<h2>${escapeXml(title)}</h2>\n`
    yield { title, level, body: heading + body, files: await readImages(folder, images) }
  }
}

async function readImages(folder: string, images: Map<string, string>): Promise<EpubFile[]> {
  const files: EpubFile[] = []
  for (const [name, file] of images) {
    const { size } = await lstat(join(folder, file))
    if (size <= maxImageBytes) files.push({ name, content: await readFile(join(folder, file)) })
  }
  return files
}

/** Keeps text, tables and images of the file itself; no scripts, no styles, no external references. */
function sanitizeHtml(html: string, resolveImage: (src: string) => string | undefined): string {
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
        const src = resolveImage(attributes['src'] ?? '')
        const attribs: Record<string, string> = src ? { src, alt: '' } : {}
        return { tagName: src ? 'img' : 'br', attribs }
      },
    },
  })
}

async function readText(path: string): Promise<string> {
  const { size } = await lstat(path)
  if (size > maxPageBytes) return ''
  const bytes = await readFile(path)
  const declared = /charset\s*=\s*["']?\s*([\w-]+)/i.exec(bytes.subarray(0, 2048).toString('latin1'))?.[1]
  const { text, encoding } = decodeText(bytes)
  if (!declared || encoding === 'utf-8' || encoding.startsWith('utf-16')) return text
  try {
    return new TextDecoder(/^gb/i.test(declared) ? 'gb18030' : declared).decode(bytes)
  } catch {
    return text
  }
}

function unescapeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => entities[name] ?? ' ').trim()
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
