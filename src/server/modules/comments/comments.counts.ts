import { sql } from 'kysely'
import { among } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import type { TargetName } from './comments.targets.ts'

/** A comment as the counters see it. */
export interface Standing extends TargetName {
  id: number
  user_id: number
  parent_id: number
  /** Everybody sees it: it is approved and there, and so is the thread that it belongs to. */
  shown: boolean
}

/** How these comments stand; with one that opens a thread come its answers, which are shown or hidden with it. */
export function standingOf(db: Db, ids: readonly number[]): Promise<Standing[]> {
  return read(
    standings(db).where((where) => where.or([among(db, 'comment.id', ids), among(db, 'comment.root_id', ids)])),
  )
}

export function standingOfTargets(db: Db, type: number, ids: readonly number[]): Promise<Standing[]> {
  return read(
    standings(db)
      .where('comment.type', '=', type)
      .where(among(db, 'comment.document_id', ids)),
  )
}

/** Those that are shown now and were not before. */
export function appeared(before: readonly Standing[], after: readonly Standing[]): Standing[] {
  const seen = new Set(before.filter(({ shown }) => shown).map(({ id }) => id))
  return after.filter(({ id, shown }) => shown && !seen.has(id))
}

/**
 * The one place where comments are counted: what they belong to, who wrote them and what they answer have as many as
 * are shown. Whatever happened in between, it is told by how they stood before and how they stand after.
 */
export async function countShown(db: Db, before: readonly Standing[], after: readonly Standing[]): Promise<void> {
  const changes = { document: tally(), article: tally(), user: tally(), comment: tally() }
  const count = ({ type, document_id, user_id, parent_id }: Standing, sign: 1 | -1) => {
    changes[type === 1 ? 'article' : 'document'].add(document_id, sign)
    changes.user.add(user_id, sign)
    changes.comment.add(parent_id, sign)
  }
  for (const row of appeared(after, before)) count(row, -1)
  for (const row of appeared(before, after)) count(row, 1)
  for (const table of ['document', 'article', 'user', 'comment'] as const)
    for (const [change, ids] of changes[table].byChange()) await add(db, table, ids, change)
}

function standings(db: Db) {
  return db
    .selectFrom('comment')
    .innerJoin('comment as root', 'root.id', 'comment.root_id')
    .select(['comment.id', 'comment.type', 'comment.document_id', 'comment.user_id', 'comment.parent_id'])
    .select(['comment.status', 'comment.is_deleted', 'root.status as root_status'])
}

async function read(query: ReturnType<typeof standings>): Promise<Standing[]> {
  const rows = await query.execute()
  return rows.map(({ status, is_deleted, root_status, ...row }) => ({
    ...row,
    shown: status === 1 && is_deleted === 0 && root_status === 1,
  }))
}

function tally() {
  const changes = new Map<number, number>()
  return {
    add(id: number, change: number) {
      if (id > 0) changes.set(id, (changes.get(id) ?? 0) + change)
    },
    /** Ids that change by the same, so that few statements change many. */
    byChange(): [change: number, ids: number[]][] {
      const groups = Map.groupBy(changes, ([, change]) => change)
      return [...groups].filter(([change]) => change !== 0).map(([change, rows]) => [change, rows.map(([id]) => id)])
    },
  }
}

async function add(
  db: Db,
  table: 'document' | 'article' | 'user' | 'comment',
  ids: readonly number[],
  change: number,
): Promise<void> {
  await db
    .updateTable(table)
    .set({ comment_count: sql<number>`comment_count + ${change}` })
    .where(among(db, 'id', ids))
    .execute()
}
