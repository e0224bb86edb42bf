import { text } from 'node:stream/consumers'
import type { documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import type { Opened, OutlineEntry, Size } from '#server/convert/converter.ts'
import { planKey } from '#server/modules/renditions/storage-keys.ts'
import { getVisible } from '../documents.get.ts'
import { previewOf } from '../documents.policy.ts'
import { findRendition } from '#server/modules/renditions/renditions.queries.ts'

/** Sizes and outline as they are kept beside the pages. */
interface Plan {
  size: SizeRun[]
  outline: OutlineEntry[]
}

/** So many pages of one size after the other. */
interface SizeRun extends Size {
  count: number
}

const mostEntries = 5000

/** What a reader needs to lay out the pages that may be looked at; nothing yet while there are none. */
export async function planOf(ctx: Ctx, named: Input<typeof documents.plan>): Promise<Reply<typeof documents.plan>> {
  const { hash, user_id } = await getVisible(ctx, named)
  const rendition = await findRendition(ctx.db, hash)
  const pages = rendition?.pages ?? 0
  if (!rendition || pages === 0) return { pages: 0, preview: 0, size: [], outline: [] }
  const preview = previewOf(ctx, { user_id, pages })
  const { size, outline } = await readPlan(ctx, rendition)
  return { pages, preview, size: upTo(preview, size), outline: outline.filter(({ page }) => page <= preview) }
}

export async function writePlan(
  { storage }: Pick<Ctx, 'storage'>,
  key: string,
  { sizes, pages, outline }: Opened,
): Promise<void> {
  const plan: Plan = {
    size: runsOf(sizes, pages),
    outline: outline
      .filter(({ page }) => page >= 1 && page <= pages)
      .slice(0, mostEntries)
      .map(({ title, page, level }) => ({ title: title.toWellFormed().slice(0, 255), page, level })),
  }
  await storage.put(key, Buffer.from(JSON.stringify(plan)))
}

/** Whole points, never nothing: boxes are made of them. */
export function wholeSize({ width, height }: Size): Size {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}

async function readPlan(
  { storage }: Pick<Ctx, 'storage'>,
  { hash, revision, width, height, pages }: { hash: string; revision: number; pages: number } & Size,
): Promise<Plan> {
  const stored = await storage.read(planKey(hash, revision))
  // A storage that has lost it still leaves the first page's size, which most pages share.
  if (!stored) return { size: [{ width, height, count: pages }], outline: [] }
  return JSON.parse(await text(stored)) as Plan
}

/** Of a very long document only the first sizes are known; the others are like the last of them. */
function runsOf(sizes: readonly Size[], pages: number): SizeRun[] {
  const runs: SizeRun[] = []
  for (const size of sizes.slice(0, pages).map(wholeSize)) {
    const last = runs.at(-1)
    if (last && last.width === size.width && last.height === size.height) last.count += 1
    else runs.push({ ...size, count: 1 })
  }
  const last = runs.at(-1)
  if (last) last.count += Math.max(0, pages - sizes.length)
  return runs
}

function upTo(pages: number, runs: readonly SizeRun[]): SizeRun[] {
  let left = pages
  const kept: SizeRun[] = []
  for (const run of runs) {
    if (left <= 0) break
    kept.push({ ...run, count: Math.min(left, run.count) })
    left -= run.count
  }
  return kept
}
