import type { Selectable } from 'kysely'
import type { Comment } from '#shared/contract/social.ts'
import type { Ctx } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import { authorsOf } from '#server/modules/users/authors.ts'
import { targetsOf } from './comments.targets.ts'

export type CommentRow = Selectable<Tables['comment']>

interface Extent {
  /** What they belong to is named too. */
  titles?: boolean
  /** Those who manage comments see where they came from. */
  ip?: boolean
}

/** Each with its author, or somebody in their place; at most three queries however many there are. */
export async function presentComments(
  { db }: Ctx,
  rows: readonly CommentRow[],
  { titles = false, ip = false }: Extent = {},
): Promise<Comment[]> {
  const [authorOf, targetOf] = await Promise.all([
    authorsOf(
      db,
      rows.map(({ user_id }) => user_id),
    ),
    targetsOf(db, titles ? rows : []),
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
      ip: ip ? row.ip : '',
    }
  })
}
