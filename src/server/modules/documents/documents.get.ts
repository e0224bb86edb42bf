import type { Document, documents } from '#shared/contract/documents.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { findUser } from '../users/users.queries.ts'
import { openingOf, textFor } from './documents.content.ts'
import { canSee } from './documents.policy.ts'
import { presentDocuments } from './documents.present.ts'
import { type DocumentRow, findDocument } from './documents.queries.ts'
import { countView } from './documents.visits.ts'

/** For who may see it; for everybody else it does not exist. */
export async function getVisible(ctx: Ctx, named: { id: number; uuid?: string }): Promise<DocumentRow> {
  const row = await findDocument(ctx.db, named)
  if (!row || !canSee(ctx.viewer, row)) throw errors.documents.notFound()
  return row
}

export async function getDocument(ctx: Ctx, input: Input<typeof documents.get>): Promise<Document> {
  const found = await getVisible(ctx, input)
  const counted = input.with_author && (await countView(ctx, found.id))
  const row = counted ? { ...found, view_count: found.view_count + 1 } : found
  const [[shown], text, user] = await Promise.all([
    presentDocuments(ctx, [row]),
    textFor(ctx, row, { whole: input.with_all_content }),
    input.with_author ? authorOf(ctx, row.user_id) : null,
  ])
  if (!shown) throw errors.documents.notFound()
  return { ...shown, user, content: text, description: row.description || openingOf(text) || row.title }
}

/** One whose account is gone is still somebody: pages show a name without asking. */
async function authorOf({ db }: Ctx, userId: number): Promise<Document['user']> {
  const user = await findUser(db, userId)
  if (!user) return { ...nobody, id: userId }
  const { id, username, avatar, signature, doc_count, article_count, favorite_count } = user
  return { ...nobody, id, username, avatar, signature, doc_count, article_count, favorite_count }
}

const nobody = {
  id: 0,
  username: '已注销用户',
  avatar: '',
  signature: '',
  is_vip: false,
  doc_count: 0,
  article_count: 0,
  favorite_count: 0,
}
