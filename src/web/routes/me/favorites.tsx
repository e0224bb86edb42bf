import { Newspaper } from 'lucide-react'
import type { Route } from './+types/favorites.ts'
import { favorites } from '#shared/contract/social.ts'
import { formatSize } from '#shared/format.ts'
import { articlePath } from '#web/lib/paths.ts'
import { ChoiceTabs } from '#web/features/documents/browse/choice-tabs.tsx'
import { KindLabel } from '#web/features/documents/browse/kind-label.tsx'
import { Pager } from '#web/features/documents/browse/pager.tsx'
import { useListPending } from '#web/features/documents/browse/use-list-pending.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { FavoriteRow, type Favorite } from '#web/features/users/centre/favorite-row.tsx'
import { load } from '#web/lib/load.ts'
import { documentPath } from '#web/lib/paths.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { pageOf } from '#web/ui/pagination.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) => {
  const type = url.searchParams.get('type') === '1' ? 1 : 0
  const page = pageOf(url.searchParams)
  return { type, page, ...(await api(favorites.list, { type, page, size })) }
}).client

export default function MyFavorites({ loaderData: { type, total, favorite } }: Route.ComponentProps) {
  const isPending = useListPending()
  return (
    <Card title="我的收藏">
      <div className="-mt-2 mb-5 border-b border-line">
        <ChoiceTabs
          label="收藏的类别"
          choices={[
            { title: '文档', to: '/me/favorite', isChosen: type === 0 },
            { title: '文章', to: '/me/favorite?type=1', isChosen: type === 1 },
          ]}
        />
      </div>
      {isPending ? (
        <SkeletonRows count={8} />
      ) : favorite.length > 0 ? (
        <ul className="divide-y divide-line">
          {favorite.map((one) => (type === 1 ? <KeptArticle key={one.id} {...one} /> : <Kept key={one.id} {...one} />))}
        </ul>
      ) : (
        <Nothing type={type} hasOthers={total > 0} />
      )}
      <Pager total={total} size={size} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的收藏' })
}

function Kept(favorite: Favorite) {
  const { document_uuid, ext, pages, size } = favorite
  return (
    <FavoriteRow
      favorite={favorite}
      path={documentPath({ uuid: document_uuid })}
      picture={<Cover document={favorite} />}
      facts={
        <>
          <KindLabel ext={ext} />
          {pages > 0 && <span>{pages} 页</span>}
          <span>{formatSize(size)}</span>
        </>
      }
    />
  )
}

function KeptArticle(favorite: Favorite) {
  const { document_uuid, cover } = favorite
  return (
    <FavoriteRow
      favorite={favorite}
      path={articlePath({ identifier: document_uuid })}
      picture={
        cover ? (
          <img src={cover} alt="" loading="lazy" className="aspect-square w-full rounded-md bg-sunken object-cover" />
        ) : (
          <span className="flex aspect-square w-full items-center justify-center rounded-md bg-sunken text-muted">
            <Newspaper size={20} aria-hidden />
          </span>
        )
      }
      facts={null}
    />
  )
}

function Nothing({ type, hasOthers }: { type: number; hasOthers: boolean }) {
  const first = type === 1 ? '?type=1' : '?page=1'
  if (hasOthers) return <EmptyState title="没有这一页" action={<ButtonLink to={first}>回到第一页</ButtonLink>} />
  const { title, to, hint } = nothing[type === 1 ? 1 : 0]
  return (
    <EmptyState title={title} action={<ButtonLink to={to}>去逛逛</ButtonLink>}>
      {hint}
    </EmptyState>
  )
}

const nothing = {
  0: { title: '还没有收藏文档', to: '/category', hint: '读到喜欢的文档，收藏后可以在这里找到。' },
  1: { title: '还没有收藏文章', to: '/article', hint: '读到喜欢的文章，收藏后可以在这里找到。' },
}
