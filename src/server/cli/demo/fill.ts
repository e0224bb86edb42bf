import pLimit from 'p-limit'
import { ContentType, RecommendAction } from '#shared/enums.ts'
import { articles } from '#shared/contract/articles.ts'
import { categories } from '#shared/contract/catalog.ts'
import { documents } from '#shared/contract/documents.ts'
import { users } from '#shared/contract/users.ts'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { ApiError, errors } from '#shared/errors.ts'
import type { Call } from '#shared/client.ts'
import type { App } from '../../app.ts'
import type { Ctx } from '../../context.ts'
import { demoArticleCategories, demoArticles } from './articles.ts'
import { makeFile } from './files.ts'
import { type Outcome, waitForOutcome } from './outcome.ts'
import { type Person, signInAsRoot } from '../person.ts'
import { ensureMemberGroup, signInAsMember, upload, UploadRefused } from './people.ts'
import { furnish } from './rooms.ts'
import { type DemoDocument, demoCategories, demoMembers, demoNames } from './documents.ts'

interface FillOptions {
  ctx: Ctx
  app: App
  documents: readonly DemoDocument[]
  say: (line: string) => void
}

interface Site {
  root: Person
  members: Map<string, Person>
  /** By path. */
  categoryIds: Map<string, number>
  /** Documents of an interrupted run, by title and extension. */
  published: Map<string, number>
}

/** Documents at a time: enough to keep the converters busy, few enough to be timed. */
const concurrency = 3

/**
 * Members, categories, documents, articles and what people make of them, all through the site's own API; reports a line for
 * each document.
 */
export async function fillSite({ ctx, app, documents: list, say }: FillOptions): Promise<Outcome[]> {
  const root = await signInAsRoot(ctx, app)
  const site: Site = {
    root,
    members: new Map(),
    categoryIds: await createCategories(root.call, ContentType.Document, demoCategories),
    published: idsOf(await findPublished(ctx)),
  }
  const groupId = await ensureMemberGroup(root.call)
  for (const member of demoMembers)
    site.members.set(member.username, await signInAsMember(ctx, app, { ...member, groupId, root: root.call }))

  const worker = app.work()
  try {
    const outcomes = await pLimit(concurrency).map(list, async (document, index) => {
      const outcome = await addDocument(site, document, index)
      say(describeOutcome(document, outcome))
      return outcome
    })
    say(`✓ ${await writeArticles(site)} 篇文章`)
    const shown = new Set(list.filter((_, index) => outcomes[index]?.state === 'shown').map(nameOf))
    const readable = new Map([...(await findPublished(ctx))].filter(([name]) => shown.has(name)))
    const made = await furnish({ ...site, readable })
    say(`✓ ${made.topics} 个专题，${made.collections} 个文集`)
    return outcomes
  } finally {
    await worker.stop()
    for (const { call } of [root, ...site.members.values()]) await call(users.logout)
  }
}

function nameOf({ title, ext }: { title: string; ext: string }): string {
  return title + ext
}

/** Documents of the demo's members, by title and extension. */
async function findPublished({ db }: Ctx) {
  const rows = await db
    .selectFrom('document')
    .innerJoin('user', 'user.id', 'document.user_id')
    .select(['document.id', 'document.uuid', 'document.title', 'document.ext', 'user.username as author'])
    .where('document.deleted_at', 'is', null)
    .where('user.username', 'in', demoNames)
    .execute()
  return new Map(rows.map((row) => [nameOf(row), row]))
}

function idsOf(rows: Map<string, { id: number }>): Map<string, number> {
  return new Map([...rows].map(([name, { id }]) => [name, id]))
}

type CategoryTree = typeof demoCategories

async function createCategories(call: Call, type: ContentType, tree: CategoryTree): Promise<Map<string, number>> {
  const common = { enable: true, type, show_description: true }
  const all = async () => (await call(categories.list, { type: [type], size: 1000 })).category
  for (const [index, [title, { description }]] of Object.entries(tree).entries())
    await call(categories.create, { ...common, parent_id: 0, title, description, sort: 100 - index })
  const roots = (await all()).filter(({ parent_id }) => parent_id === 0)
  for (const { id, title } of roots) {
    const children = tree[title]?.children ?? []
    if (children.length > 0) await call(categories.create, { ...common, parent_id: id, title: children.join('\n') })
  }
  const parents = new Map(roots.map(({ id, title }) => [id, title]))
  return new Map((await all()).map(({ id, parent_id, title }) => [`${parents.get(parent_id) ?? ''}/${title}`, id]))
}

/** Publishes a document as its author, waits for the conversion, and adds ratings by the other members. */
async function addDocument(site: Site, document: DemoDocument, index: number): Promise<Outcome> {
  const author = site.members.get(document.author)
  if (!author) throw new Error(`no member ${document.author}`)
  try {
    const id = site.published.get(nameOf(document)) ?? (await publish(site, author, document))
    const outcome = await waitForOutcome(author.call, id)
    await addRatings(site, { id, author, index })
    if (document.recommended) await site.root.call(documents.recommend, { id: [id], type: RecommendAction.Recommend })
    return outcome
  } catch (error) {
    if (error instanceof ApiError || error instanceof UploadRefused) return { state: 'failed', reason: error.message }
    throw error
  }
}

async function publish(site: Site, author: Person, document: DemoDocument): Promise<number> {
  const { title, ext, description, price = 0, language = 'zh-CN', category } = document
  const attachment_id = await upload(author, title + ext, makeFile(document))
  const categoryIds = [site.categoryIds.get(`/${category[0]}`), site.categoryIds.get(category.join('/'))]
  const { document: created } = await author.call(documents.create, {
    category_id: categoryIds.filter((id) => id !== undefined),
    document: [{ title, description, price, language, attachment_id }],
  })
  const id = created[0]?.id
  if (!id) throw new Error(`${title} was not published`)
  return id
}

/** Gives their number; articles that exist from an interrupted run are not written again. */
async function writeArticles({ root, members }: Site): Promise<number> {
  const categoryIds = await createCategories(root.call, ContentType.Article, demoArticleCategories)
  for (const { title, author, category, keywords, content, recommended } of demoArticles) {
    const { total } = await root.call(articles.list, { wd: title })
    if (total > 0) continue
    const category_id = [categoryIds.get(category.join('/')) ?? 0]
    const article = await members.get(author)?.call(articles.create, { title, keywords, content, category_id })
    if (article && recommended) await root.call(articles.recommend, { article_id: [article.id], is_recommend: true })
  }
  return demoArticles.length
}

/** Two of three members rate a document, with different scores. */
async function addRatings(
  site: Site,
  { id, author, index }: { id: number; author: Person; index: number },
): Promise<void> {
  const readers = [...site.members.values()].filter((member) => member !== author)
  for (const [at, reader] of readers.entries()) {
    if ((index + at) % 3 === 0) continue
    const score = 300 + ((index * 2 + at * 3) % 5) * 50
    await reader.call(documents.rate, { document_id: id, score }).catch((error: unknown) => {
      // By an interrupted run.
      if (!(error instanceof ApiError && error.reason === errors.documents.scoreTwice().reason)) throw error
    })
  }
}

function describeOutcome({ title, ext }: DemoDocument, outcome: Outcome): string {
  const name = `${title}${ext}（${documentKinds[getDocumentKind(ext)].label}）`
  if (outcome.state === 'shown') return `✓ ${name}  ${outcome.pages} 页  ${outcome.seconds.toFixed(1)} 秒`
  const marks = { kept: '✓', waiting: '…', failed: '✗' }
  return `${marks[outcome.state]} ${name}  ${outcome.reason}`
}
