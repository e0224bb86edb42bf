import type { Selectable } from 'kysely'
import type { Comment } from '#shared/contract/comments.ts'
import type { Ctx } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import { loadAuthors } from '#server/modules/users/authors.ts'
import { findTargets } from './comments.targets.ts'

export type CommentRow = Selectable<Tables['comment']>

interface PresentOptions {
  /** With the title and uuid of the document or article. */
  titles?: boolean
  /** With the author's IP address and the reason of a rejection. */
  forStaff?: boolean
}

/** Each with its author, or a placeholder for a deleted account; at most three queries however many there are. */
export async function presentComments(
  ctx: Ctx,
  rows: readonly CommentRow[],
  { titles = false, forStaff = false }: PresentOptions = {},
): Promise<Comment[]> {
  const [authorOf, targetOf] = await Promise.all([
    loadAuthors(
      ctx,
      rows.map(({ user_id }) => user_id),
    ),
    findTargets(ctx.db, titles ? rows : []),
  ])
  return rows.map(({ root_id: _root, ...row }) => {
    const user = authorOf(row.user_id)
    const target = targetOf(row)
    return {
      ...row,
      is_deleted: row.is_deleted === 1,
      user,
      user_id: user.id,
      document_title: target?.title ?? '',
      document_uuid: target?.uuid ?? '',
      ip: forStaff ? row.ip : '',
      reject_reason: forStaff ? row.reject_reason : '',
    }
  })
}
