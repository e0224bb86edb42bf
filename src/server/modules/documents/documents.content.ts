import type { Ctx } from '#server/context.ts'
import { pagesPerSlice } from './documents.files.ts'
import { previewOf, readsAll } from './documents.policy.ts'
import type { DocumentRow } from './documents.queries.ts'
import { pageTexts } from './documents.text.ts'

const shownLength = 8192

/**
 * A document's text as this viewer may read it: its beginning, and never a word from a page that they may not look at.
 * `whole` is for who reads all of it.
 */
export async function textFor(ctx: Ctx, row: DocumentRow, { whole = false } = {}): Promise<string> {
  const reads = readsAll(ctx.viewer, row)
  if (whole && reads) return row.content || (await extractedText(ctx, row))
  // What the owner wrote instead cannot be told apart by pages, so it is for those who see all of them.
  if (reads || previewOf(ctx, row) >= row.pages) return cut(row.content || (await excerptOf(ctx, row.hash)))
  return cut(await beginning(ctx, row, previewOf(ctx, row)))
}

/** All that was read from the pages. */
export async function extractedText(ctx: Ctx, { hash, pages }: DocumentRow): Promise<string> {
  const revision = await revisionOf(ctx, hash)
  if (revision === undefined || pages === 0) return ''
  return storable((await pageTexts(ctx, hash, revision, 1, pages)).join('\n'))
}

/** What describes a document that nobody has described. */
export function openingOf(text: string): string {
  return storable(text.trimStart().slice(0, 255))
}

/** Reads no further than is shown. */
async function beginning(ctx: Ctx, { hash }: DocumentRow, last: number): Promise<string> {
  const revision = await revisionOf(ctx, hash)
  if (revision === undefined) return ''
  let text = ''
  for (let from = 1; from <= last && text.length < shownLength; from += pagesPerSlice) {
    const texts = await pageTexts(ctx, hash, revision, from, Math.min(last, from + pagesPerSlice - 1))
    text += texts.map((page) => `${page}\n`).join('')
  }
  return text.trimEnd()
}

async function excerptOf({ db }: Ctx, hash: string): Promise<string> {
  const row = await db.selectFrom('rendition').select('excerpt').where('hash', '=', hash).executeTakeFirst()
  return row?.excerpt ?? ''
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
