import { FollowTarget } from '#shared/collections.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { addToCounter } from '#server/modules/documents/documents.counts.ts'
import { canSee, isPublic, owns } from '#server/modules/collections/collections.policy.ts'

export interface TargetRef {
  kind: FollowTarget
  target_id: number
}

/** Throws unless the member may follow it: an author who is another member, a category in use, a public collection. */
export async function assertCanFollow({ db, viewer }: MemberCtx, { kind, target_id }: TargetRef): Promise<void> {
  if (kind === FollowTarget.Author) {
    if (target_id === viewer.id) throw errors.follows.own()
    const author = await db
      .selectFrom('user')
      .select('id')
      .where('id', '=', target_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!author) throw errors.follows.notFound()
  } else if (kind === FollowTarget.Category) {
    const category = await db
      .selectFrom('category')
      .select('id')
      .where('id', '=', target_id)
      .where('enable', '=', 1)
      .executeTakeFirst()
    if (!category) throw errors.follows.notFound()
  } else {
    const collection = await db
      .selectFrom('collection')
      .select(['user_id', 'visibility', 'status'])
      .where('id', '=', target_id)
      .executeTakeFirst()
    if (collection && owns(viewer, collection)) throw errors.follows.ownCollection()
    if (!collection || !isPublic(collection)) throw errors.follows.notFound()
  }
}

/** Counters of the target, and of the member for authors. Categories have none. */
export async function countFollow({ db }: Ctx, userId: number, target: TargetRef, change: 1 | -1): Promise<void> {
  const { kind, target_id } = target
  if (kind === FollowTarget.Collection)
    await db
      .updateTable('collection')
      .set({ follower_count: addToCounter('follower_count', change) })
      .where('id', '=', target_id)
      .execute()
  if (kind !== FollowTarget.Author) return
  const changes = [
    { id: userId, set: { follow_count: addToCounter('follow_count', change) } },
    { id: target_id, set: { fans_count: addToCounter('fans_count', change) } },
  ]
  // In id order to prevent deadlocks.
  for (const { id, set } of changes.toSorted((a, b) => a.id - b.id))
    await db.updateTable('user').set(set).where('id', '=', id).execute()
}

/** As its counter says. Nothing is told of a collection that the viewer cannot see. Categories have no counter. */
export async function countFollowers({ db, viewer }: Ctx, { kind, target_id }: TargetRef): Promise<number> {
  if (kind === FollowTarget.Author) {
    const author = await db.selectFrom('user').select('fans_count').where('id', '=', target_id).executeTakeFirst()
    return author?.fans_count ?? 0
  }
  if (kind === FollowTarget.Collection) {
    const collection = await db
      .selectFrom('collection')
      .select(['user_id', 'visibility', 'status', 'follower_count'])
      .where('id', '=', target_id)
      .executeTakeFirst()
    return collection && canSee(viewer, collection) ? collection.follower_count : 0
  }
  const { count } = await db
    .selectFrom('follow')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .where('target_id', '=', target_id)
    .executeTakeFirstOrThrow()
  return count
}
