import { sql } from 'kysely'
import type { documents } from '#shared/contract/documents.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { getVisible } from '../documents.get.ts'
import { owns } from '../documents.policy.ts'

/** Once per member; the document's score is the mean of all ratings. */
export async function addScore(ctx: MemberCtx, { document_id, score }: Input<typeof documents.rate>): Promise<void> {
  const document = await getVisible(ctx, { id: document_id })
  if (owns(ctx.viewer, document)) throw errors.documents.ownScore()
  await transaction(ctx, async (ctx) => {
    const { numInsertedOrUpdatedRows } = await ctx.db
      .insertInto('document_score')
      .values({ document_id, user_id: ctx.viewer.id, score, created_at: ctx.now(), updated_at: ctx.now() })
      .onConflict((conflict) => conflict.columns(['document_id', 'user_id']).doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) throw errors.documents.scoreTwice()
    // The write locks the row: a concurrent rating computes the mean after this one, and includes it.
    await ctx.db
      .updateTable('document')
      .set((eb) => ({ score_count: eb('score_count', '+', 1) }))
      .where('id', '=', document_id)
      .execute()
    await ctx.db
      .updateTable('document')
      .set((eb) => ({
        score: eb
          .selectFrom('document_score')
          .select(sql<number>`cast(sum(score) as bigint) / count(*)`.as('mean'))
          .where('document_id', '=', document_id),
      }))
      .where('id', '=', document_id)
      .execute()
  })
}

export async function getOwnScore(
  { db, viewer }: MemberCtx,
  { document_id }: Input<typeof documents.ownRating>,
): Promise<Reply<typeof documents.ownRating>> {
  const row = await db
    .selectFrom('document_score')
    .selectAll()
    .where('document_id', '=', document_id)
    .where('user_id', '=', viewer.id)
    .executeTakeFirst()
  return row ?? { id: 0, document_id: 0, user_id: 0, score: 0, created_at: null, updated_at: null }
}
