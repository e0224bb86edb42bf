import type { documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { getVisible } from './documents.get.ts'
import { presentDocuments } from './documents.present.ts'
import { type DocumentRow, publicDocuments } from './documents.queries.ts'

const most = 10
const hourMs = 3_600_000
/** How many candidates are looked at: enough to choose from, few enough for any site. */
const looked = { inCategory: 300, ofOwner: 50, newest: 100 }

/** Documents like this one. Which ones is found out now and then; whether they may be seen, each time. */
export async function relatedDocuments(
  ctx: Ctx,
  input: Input<typeof documents.related>,
): Promise<Reply<typeof documents.related>> {
  const document = await getVisible(ctx, input)
  const days = ctx.settings.security.document_related_duration
  if (days <= 0) return { document: [] }
  const ids = (await remembered(ctx, document.id, days * 24 * hourMs)) ?? (await findOut(ctx, document))
  return { document: await presentDocuments(ctx, await publicDocuments(ctx.db, ids)) }
}

/** A short list is looked up again soon: the site is young, and there may be more by then. */
async function remembered({ db, now }: Ctx, id: number, forMs: number): Promise<number[] | undefined> {
  const row = await db.selectFrom('document_relate').selectAll().where('document_id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const ids = row.related.split(',').filter(Boolean).map(Number)
  const freshMs = ids.length < most ? Math.min(forMs, hourMs) : forMs
  return now() - row.updated_at < freshMs ? ids : undefined
}

async function findOut({ db, now }: Ctx, document: DocumentRow): Promise<number[]> {
  const candidates = await candidatesFor(db, document)
  const ids = candidates
    .map((candidate) => ({ id: candidate.id, likeness: likeness(document, candidate) }))
    .toSorted((a, b) => b.likeness - a.likeness || b.id - a.id)
    .slice(0, most)
    .map(({ id }) => id)
  const row = { related: ids.join(','), updated_at: now() }
  await db
    .insertInto('document_relate')
    .values({ document_id: document.id, ...row })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet(row))
    .execute()
  return ids
}

interface Candidate {
  id: number
  title: string
  keywords: string
  near: boolean
}

/** The newest of its narrowest category, of its owner, and of all. */
async function candidatesFor(db: Db, { id, user_id }: DocumentRow): Promise<Candidate[]> {
  const readable = () =>
    db
      .selectFrom('document')
      .select(['document.id', 'document.title', 'document.keywords'])
      .where('document.status', '=', 2)
      .where('document.deleted_at', 'is', null)
      .where('document.id', '<>', id)
  const narrowest = await db
    .selectFrom('document_category')
    .innerJoin('category', 'category.id', 'document_category.category_id')
    .select('category.id')
    .where('document_category.document_id', '=', id)
    .orderBy('category.doc_count')
    .orderBy('category.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [near, own, newest] = await Promise.all([
    readable()
      .innerJoin('document_category', 'document_category.document_id', 'document.id')
      .where('document_category.category_id', '=', narrowest?.id ?? 0)
      .orderBy('document_category.document_id', 'desc')
      .limit(looked.inCategory)
      .execute(),
    readable().where('user_id', '=', user_id).orderBy('id', 'desc').limit(looked.ofOwner).execute(),
    readable().orderBy('id', 'desc').limit(looked.newest).execute(),
  ])
  const found = new Map<number, Candidate>()
  for (const row of [...newest, ...own]) found.set(row.id, { ...row, near: false })
  for (const row of near) found.set(row.id, { ...row, near: true })
  return [...found.values()]
}

/** Words in common weigh most, then the category; what is alike in both is ordered by newness. */
function likeness(document: DocumentRow, candidate: Candidate): number {
  const keywords = shared(wordsOf(document.keywords), wordsOf(candidate.keywords))
  const [own, other] = [pairsOf(document.title), pairsOf(candidate.title)]
  const title = (2 * shared(own, other)) / Math.max(1, own.size + other.size)
  return 10 * title + 2 * keywords + (candidate.near ? 3 : 0)
}

function wordsOf(keywords: string): Set<string> {
  return new Set(keywords.toLowerCase().split(',').filter(Boolean))
}

/** Two letters at a time: words without a dictionary. */
function pairsOf(title: string): Set<string> {
  const letters = Array.from(title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ''))
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`))
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.intersection(b).size
}
