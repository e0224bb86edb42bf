import { Plus } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { Route } from './+types/collections.ts'
import { collections } from '#shared/contract/collections.ts'
import { collectionPath } from '#web/domain/paths.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { CollectionGrid } from '#web/features/collections/collection-card.tsx'
import { toCollectionSummary } from '#web/features/collections/collection-summary.ts'
import { FormButton } from '#web/features/collections/form-button.tsx'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { load } from '#web/lib/load.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { ShelfDrawing } from '#web/ui/drawings/shelf.tsx'

const size = 24

export const clientLoader = load(async ({ api, url }) => {
  const page = parsePage(url.searchParams)
  const { total, collection } = await api(collections.own, { page, size })
  return { total, collections: collection.map(toCollectionSummary) }
}).client

export default function MyCollections({ loaderData: { total, collections } }: Route.ComponentProps) {
  const navigate = useNavigate()
  return (
    <Card
      title="我的文集"
      aside={
        <FormButton variant="primary" onSaved={(made) => void navigate(collectionPath(made))}>
          <Plus size={15} aria-hidden />
          新建文集
        </FormButton>
      }
    >
      <MemberList
        total={total}
        size={size}
        rows={collections.length}
        empty={
          <EmptyState
            title="还没有文集"
            drawing={<ShelfDrawing />}
            action={<ButtonLink to="/category">去挑选文档</ButtonLink>}
          >
            把同一主题的文档和文章收在一起，排好顺序，分享给别人。
          </EmptyState>
        }
      >
        <CollectionGrid collections={collections} withOwner={false} />
      </MemberList>
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的文集' })
}
