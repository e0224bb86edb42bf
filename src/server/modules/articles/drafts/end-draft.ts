import type { MemberCtx } from '#server/context.ts'

/** Deletes the member's draft, if there is one, in the transaction that publishes it. */
export async function endDraft({ db, viewer }: MemberCtx, { draft_id }: { draft_id: number }): Promise<void> {
  if (draft_id === 0) return
  await db.deleteFrom('article_draft').where('id', '=', draft_id).where('user_id', '=', viewer.id).execute()
}
