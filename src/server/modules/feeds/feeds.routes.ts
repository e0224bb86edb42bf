import { ContentType } from '#shared/enums.ts'
import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { isOpenSite } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import { renderAtom, type Entry, type Feed, lastUpdated } from './atom.ts'
import { type FeedFilter, findNewestArticles, findNewestDocuments } from './newest.ts'

interface FeedKind {
  type: ContentType
  label: string
  findNewest: (ctx: Ctx, filter: FeedFilter) => Promise<Entry[]>
  pagePath: (filter: FeedFilter) => string
}

const kinds: Record<'document' | 'article', FeedKind> = {
  document: {
    type: ContentType.Document,
    label: '文档',
    findNewest: findNewestDocuments,
    pagePath: ({ category, user }) =>
      user > 0 ? `/user/${user}` : category > 0 ? `/category/${category}` : '/category',
  },
  article: {
    type: ContentType.Article,
    label: '文章',
    findNewest: findNewestArticles,
    pagePath: ({ category, user }) =>
      user > 0 ? `/user/${user}/article` : category > 0 ? `/article?category_id=${category}` : '/article',
  },
}

/** Atom feeds of the newest documents and articles: all, of a category or of an author. A closed site has none. */
export function feedRoutes({ contextOf }: { contextOf: () => Promise<Ctx> }): Hono {
  const feeds = new Hono()
  feeds.use('/feed/*', compress())
  for (const [name, kind] of Object.entries(kinds))
    feeds.get(`/feed/${name}`, async (context) => {
      const ctx = await contextOf()
      const filter = parseFilter(context)
      const feed = isOpenSite(ctx.settings) && filter && (await buildFeed(ctx, name, kind, filter))
      if (!feed) return context.notFound()
      return respond(context, feed, renderAtom(feed, ctx.settings.system.domain))
    })
  return feeds
}

/** Undefined when an id is malformed. */
function parseFilter({ req }: Context): FeedFilter | undefined {
  const [category, user] = [req.query('category_id') ?? '', req.query('user_id') ?? '']
  if (![category, user].every((text) => /^([1-9]\d{0,14})?$/.test(text))) return undefined
  return { category: Number(category), user: Number(user) }
}

/** Undefined when the category or the author does not exist. */
async function buildFeed(ctx: Ctx, name: string, kind: FeedKind, filter: FeedFilter): Promise<Feed | undefined> {
  const { category, user } = filter
  const [categoryRow, userRow] = await Promise.all([
    category > 0 ? findCategory(ctx, category, kind.type) : { title: '' },
    user > 0
      ? ctx.db.selectFrom('user').select('username').where('id', '=', user).executeTakeFirst()
      : { username: '' },
  ])
  if (!categoryRow || !userRow) return undefined
  const query = new URLSearchParams({
    ...(category > 0 && { category_id: String(category) }),
    ...(user > 0 && { user_id: String(user) }),
  })
  const site = ctx.settings.system.sitename || '文豆'
  return {
    title: [userRow.username, categoryRow.title, `最新${kind.label}`, site].filter(Boolean).join(' · '),
    path: `/feed/${name}${query.size > 0 ? `?${query}` : ''}`,
    page: kind.pagePath(filter),
    entries: await kind.findNewest(ctx, filter),
  }
}

function findCategory({ db }: Ctx, id: number, type: ContentType) {
  return db
    .selectFrom('category')
    .select('title')
    .where('id', '=', id)
    .where('type', '=', type)
    .where('enable', '=', 1)
    .executeTakeFirst()
}

function respond(context: Context, feed: Feed, xml: string): Response {
  const etag = `"${createHash('sha256').update(xml).digest('base64url').slice(0, 22)}"`
  const modified = new Date(lastUpdated(feed)).toUTCString()
  const headers = {
    'content-type': 'application/atom+xml; charset=utf-8',
    'cache-control': 'public, max-age=300',
    etag,
    'last-modified': modified,
  }
  return isNotModified(context, etag, modified) ? context.body(null, 304, headers) : context.body(xml, 200, headers)
}

/** The time must be equal, not later: removing an entry can make the feed's last update earlier. */
function isNotModified({ req }: Context, etag: string, modified: string): boolean {
  const etags = req.header('if-none-match')
  if (etags === undefined) return req.header('if-modified-since') === modified
  return etags.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
