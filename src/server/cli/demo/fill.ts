import { articles } from '#shared/contract/articles.ts'
import { categories } from '#shared/contract/site.ts'
import { documents } from '#shared/contract/documents.ts'
import { users } from '#shared/contract/users.ts'
import { documentKinds, kindOf } from '#shared/document-kinds.ts'
import { ApiError } from '#shared/errors.ts'
import type { Call } from '#shared/client.ts'
import type { App } from '../../app.ts'
import type { Ctx } from '../../context.ts'
import { demoArticleCategories, demoArticles } from './articles.ts'
import { fileOf } from './files.ts'
import { type Outcome, watch } from './outcome.ts'
import { enterAsMember, enterAsRoot, memberGroup, type Person, UploadRefused } from './people.ts'
import { type DemoDocument, demoCategories, demoMembers } from './shelves.ts'

interface Filling {
  ctx: Ctx
  app: App
  documents: readonly DemoDocument[]
  say: (line: string) => void
}

interface Site {
  root: Person
  members: Map<string, Person>
  /** Numbers of categories by their path. */
  shelves: Map<string, number>
}

/** So many documents are on their way at a time: enough to keep the converters busy, few enough to be timed. */
const atOnce = 3

/** Members, categories, documents and articles, all through the site's own interface; says a line for each document. */
export async function fillSite({ ctx, app, documents: list, say }: Filling): Promise<Outcome[]> {
  const root = await enterAsRoot(ctx, app)
  const site: Site = { root, members: new Map(), shelves: await putUpShelves(root.call, 0, demoCategories) }
  const groupId = await memberGroup(root.call)
  for (const member of demoMembers)
    site.members.set(member.username, await enterAsMember(ctx, app, { ...member, groupId, root: root.call }))

  const worker = app.work()
  try {
    const outcomes = await inTurn(list, async (document, index) => {
      const outcome = await bring(site, document, index)
      say(lineFor(document, outcome))
      return outcome
    })
    say(`✓ ${await writeArticles(site)} 篇文章`)
    return outcomes
  } finally {
    await worker.stop()
    for (const { call } of [root, ...site.members.values()]) await call(users.logout)
  }
}

async function inTurn<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}

type Shelves = typeof demoCategories

async function putUpShelves(call: Call, type: 0 | 1, wanted: Shelves): Promise<Map<string, number>> {
  const shelf = { enable: true, type, show_description: true }
  const all = async () => (await call(categories.list, { type: [type], size: 1000 })).category
  for (const [index, [title, { description }]] of Object.entries(wanted).entries())
    await call(categories.create, { ...shelf, parent_id: 0, title, description, sort: 100 - index })
  const roots = (await all()).filter(({ parent_id }) => parent_id === 0)
  for (const { id, title } of roots) {
    const children = wanted[title]?.children ?? []
    if (children.length > 0) await call(categories.create, { ...shelf, parent_id: id, title: children.join('\n') })
  }
  const parents = new Map(roots.map(({ id, title }) => [id, title]))
  return new Map((await all()).map(({ id, parent_id, title }) => [`${parents.get(parent_id) ?? ''}/${title}`, id]))
}

/** One document by its author, seen through to its pages; then the others say what they think of it. */
async function bring(site: Site, document: DemoDocument, index: number): Promise<Outcome> {
  const author = site.members.get(document.author)
  if (!author) throw new Error(`no member ${document.author}`)
  try {
    const id = await publish(site, author, document)
    const outcome = await watch(author.call, id)
    await praise(site, { id, author, index })
    if (document.recommended) await site.root.call(documents.recommend, { id: [id], type: 1 })
    return outcome
  } catch (error) {
    if (error instanceof ApiError || error instanceof UploadRefused) return { state: 'failed', reason: error.message }
    throw error
  }
}

async function publish(site: Site, author: Person, document: DemoDocument): Promise<number> {
  const { title, ext, description, price = 0, language = 'zh-CN', category } = document
  const attachment_id = await author.upload(title + ext, fileOf(document))
  const places = [site.shelves.get(`/${category[0]}`), site.shelves.get(category.join('/'))]
  const { document: made } = await author.call(documents.create, {
    category_id: places.filter((id) => id !== undefined),
    document: [{ title, description, price, language, attachment_id }],
  })
  const id = made[0]?.id
  if (!id) throw new Error(`${title} was not published`)
  return id
}

/** How many there are then: those that were written before an interruption are not written again. */
async function writeArticles({ root, members }: Site): Promise<number> {
  const places = await putUpShelves(root.call, 1, demoArticleCategories)
  for (const { title, author, category, keywords, content, recommended } of demoArticles) {
    const { total } = await root.call(articles.list, { wd: title })
    if (total > 0) continue
    const category_id = [places.get(category.join('/')) ?? 0]
    const made = await members.get(author)?.call(articles.create, { title, keywords, content, category_id })
    if (made && recommended) await root.call(articles.recommend, { article_id: [made.id], is_recommend: true })
  }
  return demoArticles.length
}

/** Not everybody has read everything, and not everybody is equally pleased. */
async function praise(site: Site, { id, author, index }: { id: number; author: Person; index: number }): Promise<void> {
  const readers = [...site.members.values()].filter((member) => member !== author)
  for (const [at, reader] of readers.entries()) {
    if ((index + at) % 3 === 0) continue
    await reader.call(documents.addScore, { document_id: id, score: 300 + ((index * 2 + at * 3) % 5) * 50 })
  }
}

function lineFor({ title, ext }: DemoDocument, outcome: Outcome): string {
  const name = `${title}${ext}（${documentKinds[kindOf(ext)].label}）`
  if (outcome.state === 'shown') return `✓ ${name}  ${outcome.pages} 页  ${outcome.seconds.toFixed(1)} 秒`
  const marks = { kept: '✓', waiting: '…', failed: '✗' }
  return `${marks[outcome.state]} ${name}  ${outcome.reason}`
}
