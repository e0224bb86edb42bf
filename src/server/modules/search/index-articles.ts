import * as z from 'zod/mini'
import { longestQuestion } from '#shared/contract/search.ts'
import { among } from '#server/db/in-list.ts'
import type { Schedule } from '#server/jobs/schedule.ts'
import type { Lane } from '#server/jobs/worker.ts'
import { checkEntries, fileEntries, type Filing, headMarkOf } from './indexing.ts'
import { textOf } from '#server/modules/articles/articles.html.ts'

const kind = 'article'
const hourMs = 3_600_000
const pagesAtOnce = 25

const OfArticles = z.object({ id: z.array(z.int()).check(z.minLength(1)) })
const OfIndex = z.object({ from: z._default(z.int(), 0), all: z._default(z.boolean(), false) })

export const articleIndexSchedules: Schedule[] = [{ kind: 'articles.check-index', everyMs: hourMs }]

/** An edit goes first, and has a hand free however much is being checked or filed anew. */
export const articleIndexLane: Lane = {
  handlers: {
    'articles.index': (ctx, payload) => fileEntries(ctx, articleFiling, z.parse(OfArticles, payload).id),
    'articles.check-index': (ctx, payload) => checkEntries(ctx, articleFiling, z.parse(OfIndex, payload)),
  },
  concurrency: 2,
}

const articleFiling: Filing = {
  kind,

  async idsAfter({ db }, after, limit) {
    const rows = await db
      .selectFrom('article')
      .select('id')
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  },

  async wantedOf({ db }, ids) {
    if (ids.length === 0) return new Map()
    const rows = await db
      .selectFrom('article')
      .select(['id', 'title', 'keywords', 'description', 'view_count', 'favorite_count', 'recommend_at', 'updated_at'])
      .where(among(db, 'id', ids))
      .where('deleted_at', 'is', null)
      .execute()
    return new Map(
      rows.map(({ id, title, keywords, description, updated_at, ...row }) => {
        const head = { title, keywords, description, quality: qualityOf(row) }
        return [id, { id, head, headMark: headMarkOf(head), pagesMark: String(updated_at) }]
      }),
    )
  },

  async putPages(ctx, { id, pagesMark }, anew) {
    const row = await ctx.db.selectFrom('article').select('content').where('id', '=', id).executeTakeFirst()
    const pages = pagesOf(textOf(row?.content ?? '')).map((text, index) => ({ page: index + 1, text }))
    for (let from = 0; from < pages.length; from += pagesAtOnce) {
      const mark = from + pagesAtOnce < pages.length ? '' : pagesMark
      await ctx.search.putPages({
        kind,
        id,
        pages: pages.slice(from, from + pagesAtOnce),
        mark,
        ...(anew && { anew }),
      })
    }
    await ctx.search.cutPages({ kind, id, after: pages.length })
    // What is like it can be told by its text from now on.
    await ctx.db.deleteFrom('article_relate').where('article_id', '=', id).execute()
  },
}

interface Judged {
  view_count: number
  favorite_count: number
  recommend_at: number | null
}

/** In few steps, so that each reader does not change what is known of an article. */
function qualityOf({ view_count, favorite_count, recommend_at }: Judged): number {
  const used = Math.floor(Math.log2(1 + view_count + 5 * favorite_count))
  return Math.min(100, used * 4 + 5 + (recommend_at === null ? 0 : 20))
}

const pageLength = 4000

/** Cut where a line ends; within a longer line so that whatever can be asked for is whole on one side. */
export function pagesOf(text: string): string[] {
  const pages: string[] = []
  let from = 0
  while (text.length - from > pageLength) {
    const lineEnd = text.lastIndexOf('\n', from + pageLength)
    const to = lineEnd > from ? lineEnd : from + pageLength
    pages.push(text.slice(from, to).toWellFormed())
    from = lineEnd > from ? lineEnd + 1 : to - longestQuestion
  }
  return [...pages, text.slice(from).toWellFormed()]
}
