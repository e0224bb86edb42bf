import type { Route } from './+types/of-user.ts'
import { collections } from '#shared/contract/collections.ts'
import { CollectionGrid, CollectionGridSkeleton } from '#web/features/collections/collection-card.tsx'
import { toCollectionSummary } from '#web/features/collections/collection-summary.ts'
import { Pager } from '#web/features/lists/pager.tsx'
import { useListPending } from '#web/features/lists/use-list-pending.ts'
import { parseUserId } from '#web/features/users/list-params.ts'
import { userMeta } from '#web/features/users/user-meta.ts'
import { load } from '#web/lib/load.ts'
import { useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { ShelfDrawing } from '#web/ui/drawings/shelf.tsx'

const size = 24

const page = load(async ({ api, params, url }) => {
  const user_id = parseUserId(params)
  const page = parsePage(url.searchParams)
  const { total, collection } = await api(collections.list, { user_id, page, size })
  return { page, total, collections: collection.map(toCollectionSummary) }
})
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: ['page'] }

export default function UserCollections({ loaderData, matches }: Route.ComponentProps) {
  const { total, collections } = loaderData
  const { user } = matches[2].loaderData
  const isOwn = useSession().user.id === user.id
  const isPending = useListPending()
  return (
    <div className="mt-5">
      {isOwn && (
        <p className="mb-5 flex items-center justify-between gap-4 text-sm text-muted">
          没有公开的文集不在这里。
          <ButtonLink to="/me/collections" size="sm">
            管理我的文集
          </ButtonLink>
        </p>
      )}
      {isPending ? (
        <CollectionGridSkeleton />
      ) : collections.length > 0 ? (
        <CollectionGrid collections={collections} withOwner={false} />
      ) : (
        <EmptyState title="还没有文集" drawing={<ShelfDrawing />}>
          这里会列出公开的文集。
        </EmptyState>
      )}
      <Pager total={total} size={size} />
    </div>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const user = matches[2].loaderData?.user
  const isEmpty = loaderData?.collections.length === 0
  return userMeta({ user, part: '/collection', page: loaderData?.page, isEmpty }, matches[0].loaderData)
}
