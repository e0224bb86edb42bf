import type { ExpressionBuilder } from 'kysely'
import type { documents } from '#shared/contract/documents.ts'
import { unpreviewableReason } from '#shared/conversion.ts'
import { failedStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import { enqueue } from '#server/jobs.ts'
import { requestReconversion } from '#server/modules/renditions/request.ts'
import { moveDocuments } from '../documents.status.ts'

interface Content {
  hash: string
  ext: string
}

/** Done while the caller waits; the rest runs in the background. */
const batchSize = 200

/** Converts documents again, or all that failed. Their present pages stay visible until the new ones are there. */
export async function reconvert(
  ctx: Ctx,
  { id }: Input<typeof documents.reconvert>,
): Promise<Reply<typeof documents.reconvert>> {
  const rows = await ctx.db
    .selectFrom('document')
    .select(['id', 'hash', 'ext'])
    .where('deleted_at', 'is', null)
    .where((where) => (id.length > 0 ? where('id', 'in', id) : hasFailed(where)))
    .orderBy('id')
    .execute()
  await transaction(ctx, async (ctx) => {
    for (let from = batchSize; from < rows.length; from += batchSize)
      await enqueue(ctx, 'documents.reconvert', { id: rows.slice(from, from + batchSize).map((row) => row.id) })
  })
  const now = rows.slice(0, batchSize)
  const byContent = Map.groupBy(now, ({ hash }) => hash)
  for (const content of uniqueContents(now)) {
    const documents = byContent.get(content.hash) ?? []
    await transaction(ctx, async (ctx) => {
      await requestReconversion(ctx, content)
      await moveDocuments(
        ctx,
        documents.map((document) => document.id),
        'reconvert',
      )
    })
  }
  return {}
}

/** A format without preview would only fail again. */
function hasFailed({ eb, and, exists, not, selectFrom }: ExpressionBuilder<Tables, 'document'>) {
  const unpreviewable = exists(
    selectFrom('rendition')
      .select('rendition.hash')
      .whereRef('rendition.hash', '=', 'document.hash')
      .where('rendition.reason', '=', unpreviewableReason),
  )
  return and([eb('status', 'in', [...failedStatuses]), not(unpreviewable)])
}

/** Call it before any of the documents is locked: the end of a conversion locks the rendition first, then the documents. */
export async function reconvertContents(ctx: Ctx, documents: readonly Content[]): Promise<void> {
  for (const content of uniqueContents(documents)) await requestReconversion(ctx, content)
}

/** Sorted, so that transactions which lock several cannot deadlock. */
function uniqueContents(documents: readonly Content[]): Content[] {
  const contents = new Map(documents.map(({ hash, ext }) => [hash, { hash, ext }]))
  return [...contents.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
}
