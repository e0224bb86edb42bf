import { longestContent } from '#shared/contract/documents.ts'
import type { Ctx } from '#server/context.ts'
import { pagesPerSlice } from '#server/modules/renditions/storage-keys.ts'
import { previewOf, readsAll, readsEveryPage } from './documents.policy.ts'
import type { DocumentRow } from './documents.queries.ts'
import { pageTexts } from '#server/modules/renditions/page-text.ts'

const shownLength = 8192

/**
 * A document's text as this viewer may read it: its beginning, and never a word from a page that they may not look at.
 * `whole` is for who reads all of it.
 */
export async function textFor(ctx: Ctx, row: DocumentRow, { whole = false } = {}): Promise<string> {
  if (whole && readsAll(ctx.viewer, row)) return row.content || (await extractedText(ctx, row))
  const { excerpt, pages } = await excerptOf(ctx, row.hash)
  // What the owner wrote instead cannot be told apart by pages, so it is for those who see all of them.
  if (readsEveryPage(ctx, row, pages)) return cut(row.content || excerpt)
  return cut((await beginning(ctx, row, { last: previewOf(ctx, row), length: shownLength })).trimEnd())
}

/** All that was read from the pages, as far as it can be edited. */
export async function extractedText(ctx: Ctx, row: DocumentRow): Promise<string> {
  const text = await beginning(ctx, row, { last: row.pages, length: longestContent })
  return storable(text.slice(0, -1).slice(0, longestContent))
}

/** What describes a document that nobody has described. */
export function openingOf(text: string): string {
  return storable(text.trimStart().slice(0, 255))
}

/** The text of the pages up to `last`, a line break after each; no further is read than `length` needs. */
async function beginning(
  ctx: Ctx,
  { hash }: DocumentRow,
  { last, length }: { last: number; length: number },
): Promise<string> {
  const revision = await revisionOf(ctx, hash)
  if (revision === undefined) return ''
  let text = ''
  for (let from = 1; from <= last && text.length <= length; from += pagesPerSlice) {
    const texts = await pageTexts(ctx, hash, revision, from, Math.min(last, from + pagesPerSlice - 1))
    text += texts.map((page) => `${page}\n`).join('')
  }
  return text
}

async function excerptOf({ db }: Ctx, hash: string): Promise<{ excerpt: string; pages: number }> {
  const row = await db.selectFrom('rendition').select(['excerpt', 'pages']).where('hash', '=', hash).executeTakeFirst()
  return row ?? { excerpt: '', pages: 0 }
}

async function revisionOf({ db }: Ctx, hash: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('rendition')
    .select('revision')
    .where('hash', '=', hash)
    .where('state', '=', 'done')
    .executeTakeFirst()
  return row?.revision
}

function cut(text: string): string {
  return storable(text.slice(0, shownLength))
}

/** As it would come back from a form: without what no request can hold. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
