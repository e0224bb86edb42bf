import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import type { Ctx } from '#server/context.ts'
import { atomOf, type Entry, type Feed, updatedOf } from './atom.ts'
import { type Narrowing, newestArticles, newestDocuments } from './newest.ts'

interface Kind {
  type: 0 | 1
  label: string
  newest: (ctx: Ctx, narrowing: Narrowing) => Promise<Entry[]>
  pageOf: (narrowing: Narrowing) => string
}

const kinds: Record<'document' | 'article', Kind> = {
  document: {
    type: 0,
    label: '文档',
    newest: newestDocuments,
    pageOf: ({ category, user }) => (user > 0 ? `/user/${user}` : category > 0 ? `/category/${category}` : '/category'),
  },
  article: {
    type: 1,
    label: '文章',
    newest: newestArticles,
    pageOf: ({ category, user }) =>
      user > 0 ? `/user/${user}/article` : category > 0 ? `/article?category_id=${category}` : '/article',
  },
}

/** What is new, of everybody's, in a category or by a person. A site that is not open to all has no feeds. */
export function feedRoutes({ contextOf }: { contextOf: () => Promise<Ctx> }): Hono {
  const feeds = new Hono()
  feeds.use('/feed/*', compress())
  for (const [name, kind] of Object.entries(kinds))
    feeds.get(`/feed/${name}`, async (context) => {
      const ctx = await contextOf()
      const { is_close, login_required } = ctx.settings.security
      const narrowing = narrowingOf(context)
      const feed = !is_close && !login_required && narrowing && (await feedOf(ctx, name, kind, narrowing))
      if (!feed) return context.notFound()
      const { origin } = new URL(context.req.url)
      const absolute = (path: string) => new URL(path, ctx.settings.system.domain || origin).href
      return answer(context, feed, atomOf(feed, absolute))
    })
  return feeds
}

/** Undefined where a number is none. */
function narrowingOf({ req }: Context): Narrowing | undefined {
  const [category, user] = [req.query('category_id') ?? '', req.query('user_id') ?? '']
  if (![category, user].every((text) => /^([1-9]\d{0,14})?$/.test(text))) return undefined
  return { category: Number(category), user: Number(user) }
}

/** Undefined where there is no such category or person. */
async function feedOf(ctx: Ctx, name: string, kind: Kind, narrowing: Narrowing): Promise<Feed | undefined> {
  const { category, user } = narrowing
  const [place, person] = await Promise.all([
    category > 0 ? findCategory(ctx, category, kind.type) : { title: '' },
    user > 0
      ? ctx.db.selectFrom('user').select('username').where('id', '=', user).executeTakeFirst()
      : { username: '' },
  ])
  if (!place || !person) return undefined
  const query = new URLSearchParams({
    ...(category > 0 && { category_id: String(category) }),
    ...(user > 0 && { user_id: String(user) }),
  })
  const site = ctx.settings.system.sitename || '文豆'
  return {
    title: [person.username, place.title, `最新${kind.label}`, site].filter(Boolean).join(' · '),
    path: `/feed/${name}${query.size > 0 ? `?${query}` : ''}`,
    page: kind.pageOf(narrowing),
    entries: await kind.newest(ctx, narrowing),
  }
}

function findCategory({ db }: Ctx, id: number, type: 0 | 1) {
  return db
    .selectFrom('category')
    .select('title')
    .where('id', '=', id)
    .where('type', '=', type)
    .where('enable', '=', 1)
    .executeTakeFirst()
}

function answer(context: Context, feed: Feed, xml: string): Response {
  const etag = `"${createHash('sha256').update(xml).digest('base64url').slice(0, 22)}"`
  const modified = new Date(updatedOf(feed)).toUTCString()
  const headers = {
    'content-type': 'application/atom+xml; charset=utf-8',
    'cache-control': 'public, max-age=300',
    etag,
    'last-modified': modified,
  }
  return isKept(context, etag, modified) ? context.body(null, 304, headers) : context.body(xml, 200, headers)
}

/** By the time only where it is the same: what was taken out of a feed can leave an older one than before. */
function isKept({ req }: Context, etag: string, modified: string): boolean {
  const kept = req.header('if-none-match')
  if (kept === undefined) return req.header('if-modified-since') === modified
  return kept.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
