import { FollowTarget } from '#shared/collections.ts'
import type { Follow, follows } from '#shared/contract/follows.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import type { MemberCtx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { listRows } from '#server/db/list.ts'
import { canSee } from '#server/modules/collections/collections.policy.ts'
import { presentCollections } from '#server/modules/collections/collections.present.ts'

type Described = Pick<Follow, 'title' | 'description' | 'picture' | 'href' | 'follower_count'>

/** Of one kind. A target that is gone or hidden by now keeps its row, without its title, so that it can be unfollowed. */
export async function listFollows(
  ctx: MemberCtx,
  { kind, ...paging }: Input<typeof follows.list>,
): Promise<Reply<typeof follows.list>> {
  const query = ctx.db
    .selectFrom('follow')
    .select(['id', 'kind', 'target_id', 'created_at'])
    .where('user_id', '=', ctx.viewer.id)
    .where('kind', '=', kind)
  const order = [['id', 'desc']] as const
  const sizes = { min: 1, max: 100, default: 20 }
  const { total, rows } = await listRows(query, { ...paging, order: '' }, { order, sizes })
  const described = await describers[kind](
    ctx,
    rows.map(({ target_id }) => target_id),
  )
  return { total, follow: rows.map((row) => ({ ...row, ...(described.get(row.target_id) ?? gone) })) }
}

const gone: Described = { title: '', description: '', picture: '', href: '', follower_count: 0 }

type Describe = (ctx: MemberCtx, ids: readonly number[]) => Promise<Map<number, Described>>

const describers: Record<FollowTarget, Describe> = {
  async [FollowTarget.Author]({ db }, ids) {
    const rows = await db
      .selectFrom('user')
      .select(['id', 'username as title', 'signature as description', 'avatar as picture'])
      .select('fans_count as follower_count')
      .where(inList(db, 'id', ids))
      .where('deleted_at', 'is', null)
      .execute()
    return new Map(rows.map(({ id, ...row }) => [id, { ...row, href: `/user/${id}` }]))
  },
  async [FollowTarget.Category]({ db }, ids) {
    const rows = await db
      .selectFrom('category')
      .leftJoin('follow', (join) =>
        join.onRef('follow.target_id', '=', 'category.id').on('follow.kind', '=', FollowTarget.Category),
      )
      .select(['category.id', 'category.title', 'category.type'])
      .select(({ fn }) => fn.count<number>('follow.id').as('follower_count'))
      .where(inList(db, 'category.id', ids))
      .where('category.enable', '=', 1)
      .groupBy(['category.id', 'category.title', 'category.type'])
      .execute()
    return new Map(
      rows.map(({ id, title, type, follower_count }) => [
        id,
        { title, description: '', picture: '', href: categoryPath(id, type), follower_count },
      ]),
    )
  },
  async [FollowTarget.Collection](ctx, ids) {
    const rows = await ctx.db
      .selectFrom('collection')
      .selectAll()
      .where(inList(ctx.db, 'id', ids))
      .execute()
    const visible = await presentCollections(
      ctx,
      rows.filter((row) => canSee(ctx.viewer, row)),
    )
    return new Map(
      visible.map(({ id, uuid, title, description, cover, follower_count }) => [
        id,
        { title, description, picture: cover[0] ?? '', href: `/collection/${uuid}`, follower_count },
      ]),
    )
  },
}

export function categoryPath(id: number, type: ContentType): string {
  return type === ContentType.Article ? `/article?category_id=${id}` : `/category/${id}`
}
