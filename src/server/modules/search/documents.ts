import type { documents, Hit } from '#shared/contract/documents.ts'
import { publicStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import { accepting } from '#server/fulltext/engine/visibility.ts'
import type { Accept, Found } from '#server/fulltext/fulltext.ts'
import { type Filters, filtersOf, fitting } from '#server/modules/documents/browsing/filters.ts'
import { previewOf } from '#server/modules/documents/documents.policy.ts'
import { presentDocuments } from '#server/modules/documents/documents.present.ts'
import { publicDocuments } from '#server/modules/documents/documents.queries.ts'
import { answerSearch } from './answer.ts'

type Asked = Input<typeof documents.search>

const sorts = [
  'pages',
  'size',
  'view_count',
  'download_count',
  'favorite_count',
  'score',
  'price',
  'created_at',
] as const

/** What everybody may see of what fits the words, the best first or in the order asked for. */
export async function searchDocuments(ctx: Ctx, input: Asked): Promise<Reply<typeof documents.search>> {
  const question = {
    kind: 'document' as const,
    wd: input.wd,
    page: input.page,
    accept: acceptFor(ctx, filtersOf(input, ctx.now())),
    ...arrangeBy(ctx, input.sort),
    lastPages: (ids: number[]) => previewsOf(ctx, ids),
  }
  const { hits, ...answer } = await answerSearch(ctx, question, (found) => present(ctx, found))
  return { ...answer, document: hits }
}

/** Of these documents, those that everybody may see and that fit. */
export function acceptFor({ db }: Pick<Ctx, 'db'>, filters: Filters): Accept {
  const visible = fitting(db, filters, { along: false })
    .where('deleted_at', 'is', null)
    .where('status', 'in', [...publicStatuses])
  return accepting(db, 'document.id', visible)
}

function arrangeBy({ db }: Ctx, sort: string) {
  if (sort === 'latest') return { arrange: async (ids: number[]) => ids.toSorted((a, b) => b - a) }
  const column = sorts.find((name) => name === sort)
  if (!column) return {}
  return {
    arrange: async (ids: number[]): Promise<number[]> => {
      const query = db
        .selectFrom('document')
        .select('id')
        .where(among(db, 'id', ids))
      const rows = await query.orderBy(column, 'desc').orderBy('id', 'desc').execute()
      return rows.map(({ id }) => id)
    },
  }
}

/** How far each may be looked at, in the order given: nothing is quoted from further on. */
async function previewsOf(ctx: Ctx, ids: number[]): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('document')
    .select(['id', 'user_id', 'pages'])
    .where(among(ctx.db, 'id', ids))
    .execute()
  const previews = new Map(rows.map((row) => [row.id, previewOf(ctx, row)]))
  return ids.map((id) => previews.get(id) ?? 0)
}

async function present(ctx: Ctx, found: readonly Found[]): Promise<Hit[]> {
  const rows = await publicDocuments(
    ctx.db,
    found.map(({ id }) => id),
  )
  const shown = new Map((await presentDocuments(ctx, rows)).map((document) => [document.id, document]))
  return found.flatMap(({ id, title, best, pages, excerpt }) => {
    const document = shown.get(id)
    if (!document) return []
    return {
      ...document,
      view_count: 0,
      download_count: 0,
      favorite_count: 0,
      title_ranges: title,
      excerpt: excerpt ?? { text: '', ranges: [] },
      hit_page: best?.page ?? 0,
      hit_pages: pages,
    }
  })
}
