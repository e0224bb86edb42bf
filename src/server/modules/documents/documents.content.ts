import { maxContentLength } from '#shared/contract/documents.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { readPageTexts } from '#server/modules/renditions/page-text.ts'
import { pagesPerSlice } from '#server/modules/renditions/storage-keys.ts'
import { countVisiblePages, type ReadDocument, readsAll, readsEveryPage } from './documents.policy.ts'
import type { DocumentRow } from './documents.queries.ts'

const maxShownLength = 8192
const descriptionLength = 255

/**
 * A document's text as this viewer may read it: its beginning, and never a word from a page beyond the preview. `whole`
 * gives all of it to viewers who may read all pages.
 */
export async function readText(ctx: Ctx, row: DocumentRow & ReadDocument, { whole = false } = {}): Promise<string> {
  if (whole && readsAll(ctx.viewer, row))
    return (await readOwnText(ctx.db, row.id)) || (await readExtractedText(ctx, row))
  const { excerpt, pages } = await findExcerpt(ctx, row.hash)
  // The owner's own text cannot be divided by pages, so it is for viewers who see all of them.
  if (readsEveryPage(ctx, row, pages)) return shorten((await readOwnText(ctx.db, row.id)) || excerpt)
  return shorten(
    (await readBeginning(ctx, row, { last: countVisiblePages(ctx, row), length: maxShownLength })).trimEnd(),
  )
}

/** What the owner has written in place of the extracted text; empty for nothing. Up to a megabyte: read only where needed. */
export async function readOwnText(db: Db, id: number): Promise<string> {
  const row = await db.selectFrom('document').select('content').where('id', '=', id).executeTakeFirst()
  return row?.content ?? ''
}

/** The extracted text of all pages, as far as it can be edited. */
export async function readExtractedText(ctx: Ctx, row: DocumentRow): Promise<string> {
  const text = await readBeginning(ctx, row, { last: row.pages, length: maxContentLength })
  return toStorable(text.slice(0, -1).slice(0, maxContentLength))
}

/** Stands in for a missing description. */
export function toDescription(text: string): string {
  return toStorable(text.trimStart().slice(0, descriptionLength))
}

/** The text of the pages up to `last`, a line break after each; reads no further than `length` needs. */
async function readBeginning(
  ctx: Ctx,
  { hash }: DocumentRow,
  { last, length }: { last: number; length: number },
): Promise<string> {
  const revision = await findRevision(ctx, hash)
  if (revision === undefined) return ''
  let text = ''
  for (let from = 1; from <= last && text.length <= length; from += pagesPerSlice) {
    const to = Math.min(last, from + pagesPerSlice - 1)
    const texts = await readPageTexts(ctx, { hash, revision, from, to })
    text += texts.map((page) => `${page}\n`).join('')
  }
  return text
}

async function findExcerpt({ db }: Ctx, hash: string): Promise<{ excerpt: string; pages: number }> {
  const row = await db.selectFrom('rendition').select(['excerpt', 'pages']).where('hash', '=', hash).executeTakeFirst()
  return row ?? { excerpt: '', pages: 0 }
}

async function findRevision({ db }: Ctx, hash: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('rendition')
    .select('revision')
    .where('hash', '=', hash)
    .where('state', '=', 'done')
    .executeTakeFirst()
  return row?.revision
}

function shorten(text: string): string {
  return toStorable(text.slice(0, maxShownLength))
}

/** As it would come back from a form: without characters that no request can carry. */
function toStorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
