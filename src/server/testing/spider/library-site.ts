import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import sharp from 'sharp'
import {
  fileTypes,
  type LibraryArticle,
  libraryArticle,
  libraryCategories,
  type LibraryDocument,
  libraryDocument,
  libraryExts,
  libraryFile,
} from './library-catalog.ts'
import { articlePage, documentPage, homePage, listPage, listPath, sitemap } from './library-pages.ts'
import { type Answer, openWebServer, type WebRequest, type WebServer, type WebServerOptions } from './web-server.ts'

/**
 * An ordinary small library: a home page, lists with next links, a page for each document with its file, articles with
 * pictures, a sitemap, a robots.txt. All of it answers conditional requests, and can be changed while it runs.
 */
export interface LibrarySite extends WebServer {
  documents: readonly LibraryDocument[]
  articles: readonly LibraryArticle[]
  /** Every path that a visitor finds from the home page and may have by robots.txt, pictures left out. */
  reachable(): string[]
  /** Replaces what a path answers with. */
  change(path: string, body: string | Uint8Array): void
  /** The path is gone. */
  remove(path: string): void
  /** Adds a document, which its list and the sitemap then name. */
  add(category: string, ext?: string): LibraryDocument
}

export interface LibraryOptions extends WebServerOptions {
  /** Over all categories. */
  documents?: number
  articles?: number
  /** On a page of a list. */
  pageSize?: number
  exts?: readonly string[]
  /** The text of robots.txt. */
  robots?: string
}

const firstEdition = Date.UTC(2025, 0, 1)
const hourMs = 60 * 60_000

export async function openLibrarySite(options: LibraryOptions = {}): Promise<LibrarySite> {
  const { documents: documentCount = 9, articles: articleCount = 2, pageSize = 2, exts = libraryExts } = options
  const { robots = 'User-agent: *\nDisallow: /private/\n' } = options
  const categories = Object.keys(libraryCategories)
  const documents = Array.from({ length: documentCount }, (_, index) => {
    const category = categories[index % categories.length] ?? ''
    return libraryDocument(index + 1, category, exts[index % exts.length] ?? '.pdf')
  })
  const articles = Array.from({ length: articleCount }, (_, index) => libraryArticle(index + 1))
  const byPath = new Map(documents.flatMap((each) => [[each.page, each] as const, [each.file, each] as const]))
  // Archives hold the time at which they were made: a file is made once.
  const files = new Map<string, Uint8Array>()
  const changed = new Map<string, string | Uint8Array | undefined>()
  const modifiedAt = new Map<string, number>()
  let edition = firstEdition

  const touch = (path: string) => modifiedAt.set(path, (edition += hourMs))
  const listOf = (section: string) =>
    section === 'news' ? articles : documents.filter(({ category }) => category === section)
  const pagesOf = (section: string) => Math.max(1, Math.ceil(listOf(section).length / pageSize))

  const listPathsOf = (section: string) =>
    Array.from({ length: pagesOf(section) }, (_, index) => listPath(`/${section}/`, index + 1))

  const list = (section: string, page: number) => {
    const pages = pagesOf(section)
    if (page < 1 || page > pages) return undefined
    const items = listOf(section).slice((page - 1) * pageSize, page * pageSize)
    return listPage({ title: libraryCategories[section] ?? '馆讯', path: `/${section}/`, page, pages, items })
  }

  const fileOf = (document: LibraryDocument) => {
    const made = files.get(document.file) ?? libraryFile(document)
    files.set(document.file, made)
    return made
  }

  const contentOf = async (path: string): Promise<string | Uint8Array | undefined> => {
    if (changed.has(path)) return changed.get(path)
    const document = byPath.get(path)
    if (document) return path === document.file ? fileOf(document) : documentPage(document)
    const [, section = '', page = '1'] = /^\/(\w+)\/(?:page-(\d+)\.html)?$/.exec(path) ?? []
    if (section in libraryCategories || section === 'news') return list(section, Number(page))
    const [, kind, number] = /^\/(news|pictures)\/(\d+)/.exec(path) ?? []
    const article = articles[Number(number) - 1]
    if (kind === 'news' && article?.page === path) return articlePage(article)
    if (kind === 'pictures' && article?.pictures.includes(path)) return picture(path)
    if (path === '/private/') return '<p>内部资料'
    if (path === '/robots.txt') return `${robots}\nSitemap: ${server.origin}/sitemap.xml\n`
    if (path === '/sitemap.xml') return sitemap(server.origin, [...documents, ...articles])
    return path === '/' ? homePage() : undefined
  }

  const answer = async ({ url, headers }: WebRequest): Promise<Answer> => {
    const path = decodeURI(url.pathname)
    const body = await contentOf(path)
    if (body === undefined) return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>没有这一页' }
    const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
    const at = modifiedAt.get(path) ?? firstEdition
    const validators = { etag, 'last-modified': new Date(at).toUTCString() }
    const asked = headers['if-none-match']
    const since = Date.parse(headers['if-modified-since'] ?? '')
    if (asked === undefined ? since >= at : asked.includes(etag)) return { status: 304, headers: validators }
    const type = fileTypes[extname(path)] ?? otherTypes[extname(path)] ?? 'text/html; charset=utf-8'
    return { headers: { 'content-type': type, ...validators }, body }
  }

  const server = await openWebServer(answer, options)
  return {
    ...server,
    documents,
    articles,
    reachable() {
      const lists = [...categories, 'news'].flatMap(listPathsOf)
      const contents = [...documents.flatMap(({ page, file }) => [page, file]), ...articles.map(({ page }) => page)]
      return ['/', ...lists, ...contents].filter((path) => !changed.has(path) || changed.get(path) !== undefined)
    },
    change(path, body) {
      changed.set(path, body)
      touch(path)
    },
    remove(path) {
      changed.set(path, undefined)
    },
    add(category, ext = '.pdf') {
      const document = libraryDocument(documents.length + 1, category, ext)
      documents.push(document)
      byPath.set(document.page, document).set(document.file, document)
      for (const path of [...listPathsOf(category), '/sitemap.xml']) touch(path)
      return document
    },
  }
}

const otherTypes: Record<string, string> = { '.png': 'image/png', '.xml': 'application/xml' }

/** A picture of one colour, another for each path. */
async function picture(path: string): Promise<Uint8Array> {
  const [r = 0, g = 0, b = 0] = createHash('sha1').update(path).digest()
  return sharp({ create: { width: 320, height: 200, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer()
}
