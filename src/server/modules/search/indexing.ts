import { createHash } from 'node:crypto'
import type { Ctx } from '#server/context.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { Head, Kind, Known } from '#server/fulltext/fulltext.ts'

/** How the entries of a kind come to be known as they are. */
export interface Filing<W extends Wanted = Wanted> {
  kind: Kind
  /** Those that should be known, by id, from behind this one. */
  idsAfter(ctx: Ctx, after: number, limit: number): Promise<number[]>
  wantedOf(ctx: Ctx, ids: readonly number[]): Promise<Map<number, W>>
  /** Only the last pages carry the mark: an interrupted one begins again. */
  putPages(ctx: Ctx, wanted: W, anew: boolean): Promise<void>
}

/** An entry as it should be known. The marks say what it was made from. */
export interface Wanted {
  id: number
  head: Pick<Head, 'title' | 'keywords' | 'description' | 'quality'>
  headMark: string
  /** Empty while nobody has read its text. */
  pagesMark: string
}

const atOnce = 200
const mostRounds = 5
const kinds: readonly Kind[] = ['document', 'article']

export function headMarkOf(head: Wanted['head']): string {
  return createHash('sha256').update(JSON.stringify(head)).digest('base64url').slice(0, 16)
}

/** These have changed: what is known of them is brought up to date in a moment. */
export async function enqueueFiling(ctx: Ctx, kind: Kind, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce)
    const key = some.length === 1 ? `index-${kind}:${some[0]}` : ''
    await enqueue(ctx, { kind: `${kind}s.index`, payload: { id: some }, key, priority: 5 })
  }
}

/** Brings what is known of these up to date. Doing it twice changes nothing. */
export async function fileEntries<W extends Wanted>(
  ctx: Ctx,
  filing: Filing<W>,
  ids: readonly number[],
  { anew = false } = {},
): Promise<void> {
  const failed: unknown[] = []
  for (const id of ids) {
    try {
      await fileEntry(ctx, filing, id, anew)
    } catch (error) {
      // One whose text cannot be read does not keep the others from being found.
      ctx.log.warn({ kind: filing.kind, id, error }, 'not indexed')
      failed.push(error)
    }
  }
  if (failed.length > 0 && failed.length === ids.length) throw failed[0]
}

/** Compares what is known with what there is, a stretch at a time, and puts the difference right. */
export async function checkEntries<W extends Wanted>(
  ctx: Ctx,
  filing: Filing<W>,
  { from, all = false }: { from: number; all?: boolean },
): Promise<void> {
  const { kind } = filing
  const there = await filing.idsAfter(ctx, from, atOnce)
  // A site that has none of them has nothing to be found, and need not open its index.
  if (from === 0 && there.length === 0) return
  const known = await ctx.search.list(kind, { after: from, limit: atOnce })
  const knownIds = known.map(({ id }) => id)
  const ends = [there, knownIds].filter((some) => some.length === atOnce).map((some) => some.at(-1) ?? from)
  const last = ends.length > 0 ? Math.min(...ends) : Number.MAX_SAFE_INTEGER
  const ids = [...new Set([...there, ...knownIds])].filter((id) => id <= last)
  const marks = new Map(known.map((one) => [one.id, one]))
  const wanted = await filing.wantedOf(ctx, ids)
  const old = ids.filter((id) => all || isOld(wanted.get(id), marks.get(id)))
  await fileEntries(ctx, filing, old, { anew: all }).catch((error: unknown) => ctx.log.warn({ error }, 'none indexed'))
  if (ends.length === 0 && all) await enqueue(ctx, { kind: 'searches.settle', payload: {}, key: 'settle-index' })
  if (ends.length === 0) return
  const payload = { from: last, all }
  await enqueue(ctx, { kind: `${kind}s.check-index`, payload, key: `${checkKey(kind, all)}:${last}` })
}

/** Everything from the beginning, whatever another check has come to. */
export async function enqueueCheck(ctx: Ctx, { all = false } = {}): Promise<void> {
  for (const kind of kinds)
    await enqueue(ctx, { kind: `${kind}s.check-index`, payload: { from: 0, all }, key: checkKey(kind, all) })
}

function checkKey(kind: Kind, all: boolean): string {
  return `${all ? 'index-all' : 'index-check'}-${kind}`
}

type Marks = Pick<Known, 'headMark' | 'pagesMark'>

/** Until it is known as it is: somebody may change it in the meantime, and another process may be told of that. */
async function fileEntry<W extends Wanted>(ctx: Ctx, filing: Filing<W>, id: number, anew: boolean): Promise<void> {
  const { kind } = filing
  let known = anew ? undefined : await marksOf(ctx, kind, id)
  for (let round = 0; round < mostRounds; round++) {
    const wanted = (await filing.wantedOf(ctx, [id])).get(id)
    if (!wanted) return ctx.search.remove(kind, [id])
    const { head, headMark, pagesMark } = wanted
    const isHeadOld = known?.headMark !== headMark
    const arePagesOld = pagesMark !== '' && known?.pagesMark !== pagesMark
    if (!isHeadOld && !arePagesOld) return
    if (isHeadOld) await ctx.search.putHead({ kind, id, ...head, mark: headMark, ...(anew && { anew }) })
    if (arePagesOld) await filing.putPages(ctx, wanted, anew)
    known = { headMark, pagesMark: arePagesOld ? pagesMark : (known?.pagesMark ?? '') }
  }
}

async function marksOf(ctx: Ctx, kind: Kind, id: number): Promise<Marks | undefined> {
  const [known] = await ctx.search.list(kind, { after: id - 1, limit: 1 })
  return known?.id === id ? known : undefined
}

function isOld(wanted: Wanted | undefined, known: Marks | undefined): boolean {
  if (!wanted || !known) return Boolean(wanted) !== Boolean(known)
  return wanted.headMark !== known.headMark || (wanted.pagesMark !== '' && wanted.pagesMark !== known.pagesMark)
}
