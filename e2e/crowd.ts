import { type Call, client } from '#shared/client.ts'
import { groups } from '#shared/contract/access.ts'
import { articles } from '#shared/contract/articles.ts'
import { credits } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import { categories } from '#shared/contract/site.ts'
import { comments, favorites } from '#shared/contract/social.ts'
import { users } from '#shared/contract/users.ts'
import type { Db } from '#server/db/open.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { paragraphs } from '#server/samples/prose.ts'
import { sender } from './files.ts'

/** Settings under which people may write as fast as they can, and programs may be people. */
export const hurried: Record<string, string> = {
  'security.enable_captcha_login': 'false',
  'security.enable_captcha_register': 'false',
  'security.enable_captcha_comment': 'false',
  'security.comment_interval': '0',
  'security.upload_count_every_day': '0',
  'security.upload_size_every_day': '0',
}

/** What the owner has put on the site for people to read and to write about. */
interface Shelf {
  category: number
  documents: { id: number; uuid: string }[]
  articles: { id: number; identifier: string }[]
}

/** What all writers together were told is done, and how long they waited for that. */
export interface Written {
  times: number[]
  errors: string[]
  authors: number[]
  comments: number
  favorites: number
  documents: number
  signs: number
  /** Titles as they were written last, by the article's number. */
  articles: Map<number, string>
}

interface Writer {
  id: number
  number: number
  call: Call
  upload(name: string, bytes: Uint8Array): Promise<number>
}

/** A member may publish fifty articles in a day. */
const mostArticles = 50

/** So many documents and articles. */
export async function fillShelf(
  url: string,
  owner: { username: string; password: string },
  count: number,
): Promise<Shelf> {
  const robot = await sender(url, owner)
  const { group } = await robot.call(groups.list)
  for (const each of group) await robot.call(groups.update, { ...each, enable_upload: true })
  await robot.call(categories.create, { title: '资料', enable: true })
  const { category } = await robot.call(categories.list)
  const placed = { category_id: category.map(({ id }) => id) }
  const shelf: Shelf = { category: placed.category_id[0] ?? 0, documents: [], articles: [] }
  for (let n = 0; n < count; n++) {
    const { id } = await robot.upload(`资料${n}.pdf`, makePdf({ title: `资料 ${n}`, pages: 3 }))
    const { document } = await robot.call(documents.create, { ...placed, document: [{ attachment_id: id }] })
    shelf.documents.push(...document)
    shelf.articles.push(await robot.call(articles.create, { title: `文章 ${n}`, content: text(n) }))
  }
  await robot.settled(shelf.documents.map(({ id }) => id))
  return shelf
}

/** So many new members, each from elsewhere. */
export function recruit(url: string, count: number): Promise<Writer[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => join(url, number)))
}

/** They write without a pause until it is enough; each is asked before each turn. */
export async function writeUntil(
  isEnough: (turn: number) => boolean,
  writers: readonly Writer[],
  shelf: Shelf,
): Promise<Written> {
  const written: Written = {
    times: [],
    errors: [],
    authors: writers.map(({ id }) => id),
    comments: 0,
    favorites: 0,
    documents: 0,
    signs: 0,
    articles: new Map(),
  }
  await Promise.all(writers.map((writer) => write(writer, { shelf, isEnough, written })))
  return written
}

/** The pages that people open most, and what the browser asks for beside them. */
export function pathsOf({ category, documents: papers, articles: texts }: Shelf): string[] {
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

/** What the site does not have although it said so, and what it has although nobody was told. */
export async function differences(db: Db, written: Written): Promise<string[]> {
  const rows = (table: 'comment' | 'favorite' | 'document' | 'sign') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', 'in', written.authors)
      .executeTakeFirstOrThrow()
  const pairs = [
    ['comments', written.comments, await rows('comment')],
    ['favorites', written.favorites, await rows('favorite')],
    ['documents', written.documents, await rows('document')],
    ['signs', written.signs, await rows('sign')],
  ] as const
  const counted = pairs.flatMap(([name, told, { count }]) =>
    told === count ? [] : [`${name}: ${told} acknowledged, ${count} there`],
  )
  const kept = await db.selectFrom('article').select(['id', 'title']).where('user_id', 'in', written.authors).execute()
  const titles = new Map(kept.map(({ id, title }) => [id, title]))
  const numbers = new Set([...titles.keys(), ...written.articles.keys()])
  const changed = [...numbers].filter((id) => titles.get(id) !== written.articles.get(id))
  return [...counted, ...changed.map((id) => `article ${id}: ${written.articles.get(id)}, there ${titles.get(id)}`)]
}

async function join(url: string, number: number): Promise<Writer> {
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

interface Writing {
  shelf: Shelf
  isEnough: (turn: number) => boolean
  written: Written
}

/** Mostly they talk and collect; now and then they write an article, and rarely they bring a document. */
async function write({ number, call, upload }: Writer, { shelf, isEnough, written }: Writing): Promise<void> {
  const own: number[] = []
  const collected = new Map<number, number>()
  let said = { id: 0, document_id: 0 }

  const acts = {
    async sign() {
      await call(credits.sign)
      written.signs += 1
    },
    async document(turn: number) {
      const title = `${number} 的第 ${turn} 份`
      const attachment_id = await upload(`${title}.pdf`, makePdf({ title, pages: 1 }))
      await call(documents.create, { category_id: [shelf.category], document: [{ attachment_id }] })
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
      const { id: document_id } = pick(shelf.documents, turn)
      const id = collected.get(document_id)
      if (id) {
        await call(favorites.delete, { id: [id] })
        collected.delete(document_id)
        written.favorites -= 1
      } else {
        collected.set(document_id, (await call(favorites.create, { document_id })).id)
        written.favorites += 1
      }
    },
    async comment(turn: number) {
      const { id: document_id } = pick(shelf.documents, turn)
      const parent_id = said.document_id === document_id ? said.id : 0
      said = await call(comments.create, { document_id, parent_id, content: `${number} 说的第 ${turn} 句` })
      written.comments += 1
    },
  }
  const next = (turn: number): keyof typeof acts => {
    if (turn === 0) return 'sign'
    if ((turn + number) % 100 === 50) return 'document'
    if (own.length < mostArticles && (own.length === 0 || turn % 40 === 10)) return 'article'
    if (turn % 5 === 2) return 'edit'
    return turn % 3 === 1 ? 'favorite' : 'comment'
  }

  for (let turn = 0; !isEnough(turn); turn++) {
    const name = next(turn)
    const begun = performance.now()
    try {
      await acts[name](turn)
      written.times.push(performance.now() - begun)
    } catch (error) {
      written.errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function pick<T>(all: readonly T[], turn: number): T {
  const one = all[turn % all.length]
  if (one === undefined) throw new Error('the shelf is empty')
  return one
}

function text(turn: number): string {
  return paragraphs(3)
    .map((paragraph) => `<p>${turn} ${paragraph}</p>`)
    .join('')
}
