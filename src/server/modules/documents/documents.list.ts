import type { documentRecycle, documents } from '#shared/contract/documents.ts'
import { extsOf } from '#shared/document-kinds.ts'
import { type DocumentStatus, documentStatus, publicStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { listRows, type ListRules } from '#server/db/list.ts'
import { presentDocuments } from './documents.present.ts'
import { listedColumns } from './documents.queries.ts'

type Asked = Input<typeof documents.list>
type Listed = Reply<typeof documents.list>

const rules: ListRules = {
  search: ['title', 'keywords', 'description'],
  order: [['id', 'desc']],
  sortable: [
    'created_at',
    'updated_at',
    'view_count',
    'download_count',
    'favorite_count',
    'comment_count',
    'pages',
    'size',
    'price',
    'score',
    'score_count',
    'recommend_at',
    'title',
    'status',
  ],
  emptyLast: ['recommend_at'],
}

const allStatuses = Object.keys(documentStatus).map((status) => Number(status) as DocumentStatus)

/** What visitors may ask for at once, and how far they may leaf. */
const forVisitors: ListRules = {
  ...rules,
  search: undefined,
  sizes: { min: 1, max: 24, default: 24 },
  deepest: 10_000,
}

/** Staff see everything, members everything of their own; what others see is public, and shown in small pages. */
export async function listDocuments(ctx: Ctx, input: Asked): Promise<Listed> {
  const [owner = 0] = input.user_id
  const seesAll = ctx.viewer.can('DocumentAPI/ListDocument') || (owner > 0 && owner === ctx.viewer.id)
  const query = filtered(ctx, input).where('deleted_at', 'is', null)
  if (seesAll)
    return page(ctx, input.status.length > 0 ? query.where('status', 'in', input.status) : query, input, rules)
  const shown = publicStatuses.filter((status) => input.status.length === 0 || input.status.includes(status))
  if (shown.length === 0) return { total: 0, document: [] }
  // Said by what is left out: nearly all rows are public, so an index over the status would only make a detour.
  const hidden = allStatuses.filter((status) => !shown.includes(status))
  return page(ctx, query.where('status', 'not in', hidden), input, forVisitors)
}

/** What was deleted last comes first. */
export function listRecycled(ctx: Ctx, input: Input<typeof documentRecycle.list>): Promise<Listed> {
  const query = filtered(ctx, input).where('deleted_at', 'is not', null)
  return page(ctx, input.status.length > 0 ? query.where('status', 'in', input.status) : query, input, {
    ...rules,
    order: [
      ['deleted_at', 'desc'],
      ['id', 'desc'],
    ],
  })
}

/** With `limit`, so many from the beginning, and how many there are is not asked. */
async function page(ctx: Ctx, query: Query, input: Asked, rules: ListRules): Promise<Listed> {
  const first = input.limit > 0 && { page: 1, size: input.limit }
  const { total, rows } = await listRows(query, { ...input, ...first }, { ...rules, uncounted: Boolean(first) })
  return { total, document: await presentDocuments(ctx, rows) }
}

type Query = ReturnType<typeof filtered>

function filtered({ db, now }: Ctx, input: Asked) {
  const { category_id, user_id, is_recommend, ext, fee_type, language, created_at } = input
  const [owner] = user_id
  const exts = extsOf(ext)
  const [recommended] = is_recommend
  const [from, to] = [timeOf(created_at[0], 'start'), timeOf(created_at[1], 'end') ?? now()]
  let query = db.selectFrom('document').select(listedColumns)
  if (owner) query = query.where('user_id', '=', owner)
  if (exts.length > 0) query = query.where('ext', 'in', exts)
  if (language.length > 0) query = query.where('language', 'in', language)
  if (fee_type === 'free') query = query.where('price', '=', 0)
  if (fee_type === 'charge') query = query.where('price', '>', 0)
  if (is_recommend.length === 1) query = query.where('recommend_at', recommended ? 'is not' : 'is', null)
  if (from !== undefined) query = query.where('created_at', '>=', from).where('created_at', '<=', to)
  if (category_id.length === 0) return query
  return query.where('id', 'in', (eb) =>
    eb.selectFrom('document_category').select('document_id').where('category_id', 'in', category_id),
  )
}

/** `yyyy-MM-dd HH:mm:ss` at the site, or a day; what is no time narrows nothing. */
function timeOf(text: string | undefined, edge: 'start' | 'end'): number | undefined {
  if (!text) return undefined
  const day = /^\d{4}-\d\d-\d\d$/.test(text)
  const ms = Date.parse(day ? `${text} ${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}` : text)
  return Number.isNaN(ms) ? undefined : ms
}
