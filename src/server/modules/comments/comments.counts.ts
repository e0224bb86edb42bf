import { ReviewStatus, ContentType } from '#shared/enums.ts'
import { sql } from 'kysely'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import type { TargetRef } from './comments.targets.ts'

/** A comment as the counters see it. */
export interface CountedComment extends TargetRef {
  id: number
  user_id: number
  parent_id: number
  /** Approved and not deleted, in an approved thread. */
  isVisible: boolean
}

/** These comments, and the replies of those that open a thread: they are visible or hidden with it. */
export function findCounted(db: Db, ids: readonly number[]): Promise<CountedComment[]> {
  return toCounted(
    selectCounted(db).where((where) => where.or([inList(db, 'comment.id', ids), inList(db, 'comment.root_id', ids)])),
  )
}

export function findCountedOfTargets(db: Db, type: ContentType, ids: readonly number[]): Promise<CountedComment[]> {
  return toCounted(
    selectCounted(db)
      .where('comment.type', '=', type)
      .where(inList(db, 'comment.document_id', ids)),
  )
}

/** Comments that are visible after a change and were not before. */
export function newlyVisible(before: readonly CountedComment[], after: readonly CountedComment[]): CountedComment[] {
  const visibleBefore = new Set(before.filter(({ isVisible }) => isVisible).map(({ id }) => id))
  return after.filter(({ id, isVisible }) => isVisible && !visibleBefore.has(id))
}

/**
 * The one place where comments are counted: documents and articles, authors and parent comments have counters of visible
 * comments, which change by the difference between before and after.
 */
export async function updateCounters(
  db: Db,
  before: readonly CountedComment[],
  after: readonly CountedComment[],
): Promise<void> {
  const changes = { document: countChanges(), article: countChanges(), user: countChanges(), comment: countChanges() }
  const count = ({ type, document_id, user_id, parent_id }: CountedComment, sign: 1 | -1) => {
    changes[type === ContentType.Article ? 'article' : 'document'].add(document_id, sign)
    changes.user.add(user_id, sign)
    changes.comment.add(parent_id, sign)
  }
  for (const row of newlyVisible(after, before)) count(row, -1)
  for (const row of newlyVisible(before, after)) count(row, 1)
  for (const table of ['document', 'article', 'user', 'comment'] as const)
    for (const [change, ids] of changes[table].byChange()) await addToCounts(db, table, ids, change)
}

function selectCounted(db: Db) {
  return db
    .selectFrom('comment')
    .innerJoin('comment as root', 'root.id', 'comment.root_id')
    .select(['comment.id', 'comment.type', 'comment.document_id', 'comment.user_id', 'comment.parent_id'])
    .select(['comment.status', 'comment.is_deleted', 'root.status as root_status'])
}

async function toCounted(query: ReturnType<typeof selectCounted>): Promise<CountedComment[]> {
  const rows = await query.execute()
  return rows.map(({ status, is_deleted, root_status, ...row }) => ({
    ...row,
    isVisible: status === ReviewStatus.Approved && is_deleted === 0 && root_status === ReviewStatus.Approved,
  }))
}

function countChanges() {
  const changes = new Map<number, number>()
  return {
    add(id: number, change: number) {
      if (id > 0) changes.set(id, (changes.get(id) ?? 0) + change)
    },
    /** Ids grouped by their change, so that one statement updates a group. */
    byChange(): [change: number, ids: number[]][] {
      const groups = Map.groupBy(changes, ([, change]) => change)
      return [...groups].filter(([change]) => change !== 0).map(([change, rows]) => [change, rows.map(([id]) => id)])
    },
  }
}

async function addToCounts(
  db: Db,
  table: 'document' | 'article' | 'user' | 'comment',
  ids: readonly number[],
  change: number,
): Promise<void> {
  await db
    .updateTable(table)
    .set({ comment_count: sql<number>`comment_count + ${change}` })
    .where(inList(db, 'id', ids))
    .execute()
}
