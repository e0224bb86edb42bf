import type { Selectable } from 'kysely'
import type { Group } from '#shared/contract/group.ts'
import type { Ctx } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import { countMembers } from './groups.queries.ts'

/** Members are counted only for viewers who manage groups, as that reads every membership. */
export async function presentGroups(
  { db, viewer }: Pick<Ctx, 'db' | 'viewer'>,
  rows: readonly Selectable<Tables['group']>[],
): Promise<Group[]> {
  const countedIds = viewer.can('GroupAPI/ListGroup') ? rows.map(({ id }) => id) : []
  const members = await countMembers(db, countedIds)
  return rows.map((row) => ({
    ...row,
    is_default: row.is_default === 1,
    is_display: row.is_display === 1,
    enable_upload: row.enable_upload === 1,
    enable_document_review: row.enable_document_review === 1,
    enable_comment: row.enable_comment === 1,
    enable_comment_approval: row.enable_comment_approval === 1,
    enable_article: row.enable_article === 1,
    enable_article_approval: row.enable_article_approval === 1,
    user_count: members.get(row.id) ?? 0,
  }))
}
