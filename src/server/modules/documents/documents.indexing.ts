import { createHash } from 'node:crypto'
import type { Ctx } from '#server/context.ts'
import { among } from '#server/db/among.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { Known, PageText } from '#server/search/search.ts'
import { pagesPerSlice } from './documents.files.ts'
import { documentsOf } from './documents.renditions.ts'
import { pageTexts } from './documents.text.ts'

const atOnce = 200
const mostRounds = 5
const kind = 'document'

/** Documents have changed: what is known of them is brought up to date in a moment. */
export async function enqueueIndexing(ctx: Ctx, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce)
    const key = some.length === 1 ? `index:${some[0]}` : ''
    await enqueue(ctx, { kind: 'documents.index', payload: { id: some }, key, priority: 5 })
  }
}

/** The text of a content is there: all documents with it can be found by it. */
export async function enqueueIndexingOf(ctx: Ctx, hash: string): Promise<void> {
  const rendition = await ctx.db
    .selectFrom('rendition')
    .select(['pages', 'read_pages'])
    .where('hash', '=', hash)
    .where('state', '=', 'done')
    .executeTakeFirst()
  if (rendition && rendition.read_pages >= rendition.pages) await enqueueIndexing(ctx, await documentsOf(ctx.db, hash))
}

/** Brings what is known of these documents up to date. Doing it twice changes nothing. */
export async function indexDocuments(ctx: Ctx, ids: readonly number[], { anew = false } = {}): Promise<void> {
  const failed: unknown[] = []
  for (const id of ids) {
    try {
      await indexDocument(ctx, id, anew)
    } catch (error) {
      // One whose text cannot be read does not keep the others from being found.
      ctx.log.warn({ id, error }, 'not indexed')
      failed.push(error)
    }
  }
  if (failed.length > 0 && failed.length === ids.length) throw failed[0]
}

/** Until it is known as it is: somebody may change it in the meantime, and another process may be told of that. */
async function indexDocument(ctx: Ctx, id: number, anew: boolean): Promise<void> {
  let known = anew ? undefined : await marksOf(ctx, id)
  for (let round = 0; round < mostRounds; round++) {
    const wanted = (await wantedOf(ctx, [id])).get(id)
    if (!wanted) return ctx.search.remove(kind, [id])
    const { headMark, pagesMark } = wanted
    const isHeadOld = known?.headMark !== headMark
    const arePagesOld = pagesMark !== '' && known?.pagesMark !== pagesMark
    if (!isHeadOld && !arePagesOld) return
    if (isHeadOld) await putHead(ctx, wanted, anew)
    if (arePagesOld) await putPages(ctx, wanted, anew)
    known = { id, headMark, pagesMark: arePagesOld ? pagesMark : (known?.pagesMark ?? '') }
  }
}

async function marksOf(ctx: Ctx, id: number): Promise<Marks | undefined> {
  const [known] = await ctx.search.list(kind, { after: id - 1, limit: 1 })
  return known?.id === id ? known : undefined
}

/** Compares what is known with what there is, a stretch at a time, and puts the difference right. */
export async function checkIndex(ctx: Ctx, { from, all = false }: { from: number; all?: boolean }): Promise<void> {
  const there = await ctx.db
    .selectFrom('document')
    .select('id')
    .where('id', '>', from)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(atOnce)
    .execute()
  // A site without documents has nothing to be found, and need not open its index.
  if (from === 0 && there.length === 0) return
  const known = await ctx.search.list(kind, { after: from, limit: atOnce })
  const ends = [there, known].filter((some) => some.length === atOnce).map((some) => some.at(-1)?.id ?? from)
  const last = ends.length > 0 ? Math.min(...ends) : Number.MAX_SAFE_INTEGER
  const ids = [...new Set([...there, ...known].map(({ id }) => id))].filter((id) => id <= last)
  const marks = new Map(known.map((one) => [one.id, one]))
  const wanted = await wantedOf(ctx, ids)
  const old = ids.filter((id) => all || isOld(wanted.get(id), marks.get(id)))
  await indexDocuments(ctx, old, { anew: all }).catch((error: unknown) => ctx.log.warn({ error }, 'none indexed'))
  if (ends.length === 0) return
  const kindOfJob = { kind: 'documents.check-index', payload: { from: last, all } }
  await enqueue(ctx, { ...kindOfJob, key: `${checkKey(all)}:${last}` })
}

/** From the beginning, whatever another one has come to. */
export async function enqueueCheck(ctx: Ctx, { all = false } = {}): Promise<void> {
  await enqueue(ctx, { kind: 'documents.check-index', payload: { from: 0, all }, key: checkKey(all) })
}

function checkKey(all: boolean): string {
  return all ? 'index-all' : 'index-check'
}

type Marks = Pick<Known, 'id' | 'headMark' | 'pagesMark'>

function isOld(wanted: Wanted | undefined, known: Marks | undefined): boolean {
  if (!wanted || !known) return wanted !== known
  return wanted.headMark !== known.headMark || (wanted.pagesMark !== '' && wanted.pagesMark !== known.pagesMark)
}

type Wanted = Awaited<ReturnType<typeof wantedOf>> extends Map<number, infer W> ? W : never

/** Documents as they should be known. The marks say what they were made from. */
async function wantedOf({ db }: Ctx, ids: readonly number[]) {
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('document')
          .leftJoin('rendition', 'rendition.hash', 'document.hash')
          .select([
            'document.id',
            'document.hash',
            'title',
            'keywords',
            'description',
            'view_count',
            'download_count',
            'score',
            'score_count',
            'recommend_at',
            'rendition.state',
            'rendition.revision',
            'rendition.pages',
            'rendition.read_pages',
          ])
          .where(among(db, 'document.id', ids))
          .where('deleted_at', 'is', null)
          .execute()
  return new Map(
    rows.map((row) => {
      const isRead = row.state === 'done' && (row.read_pages ?? 0) >= (row.pages ?? 0)
      const head = { title: row.title, keywords: row.keywords, description: row.description, quality: qualityOf(row) }
      const headMark = createHash('sha256').update(JSON.stringify(head)).digest('base64url').slice(0, 16)
      const pagesMark = isRead ? `${row.hash.slice(0, 16)}-${row.revision}` : ''
      return [row.id, { ...row, head, headMark, pagesMark }]
    }),
  )
}

interface Judged {
  view_count: number
  download_count: number
  score: number
  score_count: number
  recommend_at: number | null
}

/** In few steps, so that each reader does not change what is known of a document. */
function qualityOf({ view_count, download_count, score, score_count, recommend_at }: Judged): number {
  const used = Math.floor(Math.log2(1 + view_count + 5 * download_count))
  const judged = score_count > 0 ? Math.round(score / 100) * 2 : 5
  return Math.min(100, used * 4 + judged + (recommend_at === null ? 0 : 20))
}

function putHead({ search }: Ctx, { id, head, headMark }: Wanted, anew: boolean): Promise<void> {
  return search.putHead({ kind, id, ...head, mark: headMark, ...(anew && { anew }) })
}

async function putPages(ctx: Ctx, { id, hash, revision, pages, pagesMark }: Wanted, anew: boolean): Promise<void> {
  const last = pages ?? 0
  for (let from = 1; from <= last; from += pagesPerSlice) {
    const texts = await pageTexts(ctx, hash, revision ?? 0, from, Math.min(last, from + pagesPerSlice - 1))
    const some: PageText[] = texts.map((text, index) => ({ page: from + index, text }))
    // Known as these pages only when the last of them is in: an interrupted one begins again.
    const isLast = from + pagesPerSlice > last
    await ctx.search.putPages({ kind, id, pages: some, mark: isLast ? pagesMark : '', ...(anew && { anew }) })
  }
  await ctx.search.cutPages({ kind, id, after: last })
  // What is like it can be told by its text from now on.
  await ctx.db.deleteFrom('document_relate').where('document_id', '=', id).execute()
}
