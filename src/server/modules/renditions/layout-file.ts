import { text } from 'node:stream/consumers'
import type { Ctx } from '#server/context.ts'
import type { DocumentInfo, OutlineEntry, Size } from '#server/convert/converter.ts'
import type { PageShape } from './observer.ts'
import { layoutKey } from './storage-keys.ts'

/** Page sizes and outline as they are stored beside the pages. */
export interface PageLayout {
  size: SizeRun[]
  outline: OutlineEntry[]
}

/** Run-length encoded: so many pages of one size in a row. */
export interface SizeRun extends Size {
  count: number
}

const maxOutlineEntries = 5000
const a4 = { width: 595, height: 842 }

export async function writeLayout(
  { storage }: Pick<Ctx, 'storage'>,
  key: string,
  { sizes, pages, outline }: DocumentInfo,
): Promise<void> {
  const layout: PageLayout = {
    size: encodeRuns(sizes, pages),
    outline: outline
      .filter(({ page }) => page >= 1 && page <= pages)
      .slice(0, maxOutlineEntries)
      .map(({ title, page, level }) => ({ title: title.toWellFormed().slice(0, 255), page, level })),
  }
  await storage.put(key, Buffer.from(JSON.stringify(layout)))
}

export async function readLayout(
  { storage }: Pick<Ctx, 'storage'>,
  { hash, revision, width, height, pages }: { hash: string; revision: number } & PageShape,
): Promise<PageLayout> {
  const stored = await storage.read(layoutKey(hash, revision))
  // A storage that has lost it still leaves the first page's size, which most pages share.
  if (!stored) return { size: [{ width, height, count: pages }], outline: [] }
  return JSON.parse(await text(stored)) as PageLayout
}

export function pageShape({ pages, sizes: [size] }: Pick<DocumentInfo, 'pages' | 'sizes'>): PageShape {
  return { pages, ...roundSize(size ?? a4) }
}

/** Whole points, and never zero: readers draw boxes of this size. */
function roundSize({ width, height }: Size): Size {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}

/** Of a very long document only the first sizes are known; the other pages are taken to be like the last of them. */
function encodeRuns(sizes: readonly Size[], pages: number): SizeRun[] {
  const runs: SizeRun[] = []
  for (const size of sizes.slice(0, pages).map(roundSize)) {
    const last = runs.at(-1)
    if (last && last.width === size.width && last.height === size.height) last.count += 1
    else runs.push({ ...size, count: 1 })
  }
  const last = runs.at(-1)
  if (last) last.count += Math.max(0, pages - sizes.length)
  return runs
}
