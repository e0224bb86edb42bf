import type { Ctx } from '#server/context.ts'

interface DocumentGrant {
  userId: number
  documentId: number
  orderId: number
}

/** The buyer may download the document, as often as the settings say. */
export async function grantDocument({ db, now }: Ctx, { userId, documentId, orderId }: DocumentGrant): Promise<void> {
  await db
    .insertInto('document_grant')
    .values({ user_id: userId, document_id: documentId, order_id: orderId, created_at: now() })
    .execute()
}

/** After a refund: what was downloaded since then does not count as bought either. */
export async function revokeDocument({ db, now }: Ctx, { userId, documentId, orderId }: DocumentGrant): Promise<void> {
  const revoked = await db
    .updateTable('document_grant')
    .set({ revoked_at: now() })
    .where('order_id', '=', orderId)
    .where('revoked_at', 'is', null)
    .returning('created_at')
    .executeTakeFirst()
  if (!revoked) return
  await db
    .updateTable('download')
    .set({ is_pay: 0 })
    .where('user_id', '=', userId)
    .where('document_id', '=', documentId)
    .where('created_at', '>=', revoked.created_at)
    .execute()
}
