import { type Call, client } from '#shared/client.ts'
import { groups } from '#shared/contract/access.ts'
import { articles } from '#shared/contract/articles.ts'
import { credits } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import { categories } from '#shared/contract/catalog.ts'
import { comments } from '#shared/contract/comments.ts'
import { favorites } from '#shared/contract/favorites.ts'
import { users } from '#shared/contract/users.ts'
import type { Db } from '#server/db/open.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { paragraphs } from '#server/samples/prose.ts'
import { createUploadClient } from './upload-client.ts'

/** No captchas, intervals or quotas. */
export const settingsForLoad: Record<string, string> = {
  'security.enable_captcha_login': 'false',
  'security.enable_captcha_register': 'false',
  'security.enable_captcha_comment': 'false',
  'security.comment_interval': '0',
  'security.upload_count_every_day': '0',
  'security.upload_size_every_day': '0',
}

/** What the site has for readers and writers. */
interface SiteContent {
  category: number
  documents: { id: number; uuid: string }[]
  articles: { id: number; identifier: string }[]
}

/** The acknowledged writes of all writers, and their response times. */
export interface LoadResult {
  times: number[]
  errors: string[]
  authors: number[]
  comments: number
  favorites: number
  documents: number
  signs: number
  /** The latest titles by article id. */
  articles: Map<number, string>
}

interface Writer {
  id: number
  number: number
  call: Call
  upload(name: string, bytes: Uint8Array): Promise<number>
}

/** A member may publish fifty articles in a day. */
const maxArticles = 50

/** Adds `count` documents and articles. */
export async function addContent(
  url: string,
  owner: { username: string; password: string },
  count: number,
): Promise<SiteContent> {
  const uploader = await createUploadClient(url, owner)
  const { group } = await uploader.call(groups.list)
  for (const each of group) await uploader.call(groups.update, { ...each, enable_upload: true })
  await uploader.call(categories.create, { title: '资料', enable: true })
  const { category } = await uploader.call(categories.list)
  const inCategory = { category_id: category.map(({ id }) => id) }
  const content: SiteContent = { category: inCategory.category_id[0] ?? 0, documents: [], articles: [] }
  for (let n = 0; n < count; n++) {
    const { id } = await uploader.upload(`资料${n}.pdf`, makePdf({ title: `资料 ${n}`, pages: 3 }))
    const { document } = await uploader.call(documents.create, { ...inCategory, document: [{ attachment_id: id }] })
    content.documents.push(...document)
    content.articles.push(await uploader.call(articles.create, { title: `文章 ${n}`, content: text(n) }))
  }
  await uploader.waitUntilFinished(content.documents.map(({ id }) => id))
  return content
}

/** New members, each with an address of their own. */
export function registerWriters(url: string, count: number): Promise<Writer[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => registerWriter(url, number)))
}

/** All writers write without a pause until `isEnough`, which is called before each turn. */
export async function writeUntil(
  isEnough: (turn: number) => boolean,
  writers: readonly Writer[],
  content: SiteContent,
): Promise<LoadResult> {
  const written: LoadResult = {
    times: [],
    errors: [],
    authors: writers.map(({ id }) => id),
    comments: 0,
    favorites: 0,
    documents: 0,
    signs: 0,
    articles: new Map(),
  }
  await Promise.all(writers.map((writer) => write(writer, { content, isEnough, written })))
  return written
}

/** The most visited pages, and the API requests that browsers send with them. */
export function popularPaths({ category, documents: papers, articles: texts }: SiteContent): string[] {
  return [
    '/',
    `/category/${category}`,
    `/search?wd=${encodeURIComponent('资料')}`,
    '/api/v1/document/list',
    '/api/v1/article/list',
    `/api/v1/document/search?wd=${encodeURIComponent('文库')}`,
    ...papers.flatMap(({ id, uuid }) => [`/document/${uuid}`, `/api/v1/comment/thread?document_id=${id}`]),
    ...texts.map(({ identifier }) => `/article/${identifier}`),
  ]
}

/** Acknowledged writes that are missing, and rows that were never acknowledged. */
export async function findDifferences(db: Db, written: LoadResult): Promise<string[]> {
  const rows = (table: 'comment' | 'favorite' | 'document' | 'check_in') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', 'in', written.authors)
      .executeTakeFirstOrThrow()
  const pairs = [
    ['comments', written.comments, await rows('comment')],
    ['favorites', written.favorites, await rows('favorite')],
    ['documents', written.documents, await rows('document')],
    ['signs', written.signs, await rows('check_in')],
  ] as const
  const counted = pairs.flatMap(([name, acknowledged, { count }]) =>
    acknowledged === count ? [] : [`${name}: ${acknowledged} acknowledged, ${count} there`],
  )
  const kept = await db.selectFrom('article').select(['id', 'title']).where('user_id', 'in', written.authors).execute()
  const titles = new Map(kept.map(({ id, title }) => [id, title]))
  const numbers = new Set([...titles.keys(), ...written.articles.keys()])
  const changed = [...numbers].filter((id) => titles.get(id) !== written.articles.get(id))
  return [...counted, ...changed.map((id) => `article ${id}: ${written.articles.get(id)}, there ${titles.get(id)}`)]
}

async function registerWriter(url: string, number: number): Promise<Writer> {
  const from = { 'x-forwarded-for': `10.1.0.${number + 1}` }
  let token = ''
  const call = client({
    origin: url,
    token: () => token,
    fetch: (request) => fetch(new Request(request, { headers: { ...Object.fromEntries(request.headers), ...from } })),
  })
  const person = { username: `writer${number}`, password: 'a long password', email: `writer${number}@example.com` }
  const registered = await call(users.register, person)
  token = registered.token
  return {
    id: registered.user.id,
    number,
    call,
    async upload(name, bytes) {
      const form = new FormData()
      form.append('file', new File([Uint8Array.from(bytes)], name))
      const headers = { authorization: `Bearer ${token}`, ...from }
      const response = await fetch(`${url}/api/v1/upload/document`, { method: 'POST', headers, body: form })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return ((await response.json()) as { data: { id: number } }).data.id
    },
  }
}

interface WriterOptions {
  content: SiteContent
  isEnough: (turn: number) => boolean
  written: LoadResult
}

/** Mostly comments and favorites, sometimes an article, rarely a document. */
async function write({ number, call, upload }: Writer, { content, isEnough, written }: WriterOptions): Promise<void> {
  const own: number[] = []
  const favoriteIds = new Map<number, number>()
  let lastComment = { id: 0, document_id: 0 }

  const actions = {
    async sign() {
      await call(credits.checkIn)
      written.signs += 1
    },
    async document(turn: number) {
      const title = `${number} 的第 ${turn} 份`
      const attachment_id = await upload(`${title}.pdf`, makePdf({ title, pages: 1 }))
      await call(documents.create, { category_id: [content.category], document: [{ attachment_id }] })
      written.documents += 1
    },
    async article(turn: number) {
      const title = `${number} 的第 ${turn} 篇`
      const { id } = await call(articles.create, { title, content: text(turn) })
      own.push(id)
      written.articles.set(id, title)
    },
    async edit(turn: number) {
      const id = own[turn % own.length] ?? 0
      const title = `${number} 第 ${turn} 次修改`
      await call(articles.update, { id, title, content: text(turn) })
      written.articles.set(id, title)
    },
    async favorite(turn: number) {
      const { id: document_id } = pick(content.documents, turn)
      const id = favoriteIds.get(document_id)
      if (id) {
        await call(favorites.delete, { id: [id] })
        favoriteIds.delete(document_id)
        written.favorites -= 1
      } else {
        favoriteIds.set(document_id, (await call(favorites.create, { document_id })).id)
        written.favorites += 1
      }
    },
    async comment(turn: number) {
      const { id: document_id } = pick(content.documents, turn)
      const parent_id = lastComment.document_id === document_id ? lastComment.id : 0
      lastComment = await call(comments.create, { document_id, parent_id, content: `${number} 说的第 ${turn} 句` })
      written.comments += 1
    },
  }
  const next = (turn: number): keyof typeof actions => {
    if (turn === 0) return 'sign'
    if ((turn + number) % 100 === 50) return 'document'
    if (own.length < maxArticles && (own.length === 0 || turn % 40 === 10)) return 'article'
    if (turn % 5 === 2) return 'edit'
    return turn % 3 === 1 ? 'favorite' : 'comment'
  }

  for (let turn = 0; !isEnough(turn); turn++) {
    const name = next(turn)
    const startedAt = performance.now()
    try {
      await actions[name](turn)
      written.times.push(performance.now() - startedAt)
    } catch (error) {
      written.errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function pick<T>(all: readonly T[], turn: number): T {
  const item = all[turn % all.length]
  if (item === undefined) throw new Error('the site has no content')
  return item
}

function text(turn: number): string {
  return paragraphs(3)
    .map((paragraph) => `<p>${turn} ${paragraph}</p>`)
    .join('')
}
