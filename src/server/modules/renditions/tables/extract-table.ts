import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getDocumentKind } from '#shared/document-kinds.ts'
import type { Ctx } from '#server/context.ts'
import { type TableFile, Unconvertible } from '#server/convert/converter.ts'
import type { StoredIndex } from '#server/convert/tables/table-file.ts'
import { enqueue, type JobPayload, runNow } from '#server/jobs.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { isBlocked } from '../failures.ts'
import { findRendition, type Rendition } from '../renditions.queries.ts'
import { tableIndexKey, tableKey } from '../storage-keys.ts'
import { readTableIndex } from './table-files.ts'

/** The pages come first: if the conversion that renders them is killed, extraction starts without it. */
const startDelayMs = 15_000
const minuteMs = 60_000
const noTable: StoredIndex = { index: { rowsPerSlice: 1, sheets: [] }, offsets: [] }

/** Has the cells extracted, if the content is a spreadsheet and they are not. */
export async function enqueueTableExtraction(
  ctx: Ctx,
  { hash, revision, ext, owner }: Pick<Rendition, 'hash' | 'revision' | 'ext'> & { owner: number },
): Promise<void> {
  if (!isSpreadsheet(ext)) return
  const runAt = ctx.now() + startDelayMs
  await enqueue(ctx, 'renditions.extract-table', { hash, revision }, { runAt, owner })
}

/** The first pages are rendered: extraction need not wait any longer. */
export async function startTableExtractionNow(
  ctx: Ctx,
  { hash, revision, ext }: Pick<Rendition, 'hash' | 'revision' | 'ext'>,
): Promise<void> {
  if (isSpreadsheet(ext)) await runNow(ctx, 'renditions.extract-table', { hash, revision })
}

export function isSpreadsheet(ext: string): boolean {
  return getDocumentKind(ext) === 'excel'
}

/** A spreadsheet without a table is still read as pages: whatever fails here fails no document. */
export async function extractTable(
  ctx: Ctx,
  { workDir }: { workDir: string },
  { batch: { hash, revision }, signal }: { batch: JobPayload<'renditions.extract-table'>; signal: AbortSignal },
): Promise<void> {
  const rendition = await findRendition(ctx.db, hash)
  if (rendition?.revision !== revision || rendition.state !== 'done') return
  if (await readTableIndex(ctx, rendition)) return
  const folder = join(workDir, ctx.id())
  try {
    await mkdir(folder, { recursive: true })
    const table = await readTable(ctx, { rendition, folder, signal })
    if (table) await ctx.storage.moveIn(tableKey(hash, revision), table.path)
    const { index, offsets } = table ?? noTable
    await ctx.storage.put(tableIndexKey(hash, revision), Buffer.from(JSON.stringify({ index, offsets })))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  // The content was converted again meanwhile, or removed.
  if ((await findRendition(ctx.db, hash))?.revision !== revision)
    await ctx.storage.remove([tableKey(hash, revision), tableIndexKey(hash, revision)])
}

interface Extraction {
  rendition: Rendition
  folder: string
  signal: AbortSignal
}

/** Undefined when the cells cannot be read, now or at any other time. */
async function readTable(ctx: Ctx, { rendition, folder, signal }: Extraction): Promise<TableFile | undefined> {
  const { hash, ext } = rendition
  const path = await ctx.storage.local(contentKey(hash))
  if (!path) return undefined
  const original = { path, ext, size: (await stat(path)).size }
  const limits = { timeoutMs: ctx.settings.converter.timeout * minuteMs, signal }
  try {
    const table = await ctx.converter.extractTable(original, await ctx.converter.probe(original), folder, limits)
    return table?.index.sheets.length ? table : undefined
  } catch (error) {
    if (signal.aborted || !(error instanceof Unconvertible) || isBlocked(error.reason)) throw error
    ctx.log.warn({ hash, error }, 'no table extracted')
    return undefined
  }
}
