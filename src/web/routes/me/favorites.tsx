import { ContentType } from '#shared/enums.ts'
import { Newspaper } from 'lucide-react'
import type { Route } from './+types/favorites.ts'
import { favorites } from '#shared/contract/favorites.ts'
import { formatSize } from '#shared/format.ts'
import { articlePath, documentPath } from '#web/domain/paths.ts'
import { parseContentType } from '#web/features/lists/query-params.ts'
import { ChoiceTabs } from '#web/features/lists/choice-tabs.tsx'
import { KindLabel } from '#web/features/documents/kind-label.tsx'
import { Cover } from '#web/features/documents/cover.tsx'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { FavoriteRow, type Favorite } from '#web/features/social/favorite-row.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { ShelfDrawing } from '#web/ui/drawings/shelf.tsx'

const size = 20
const articlesPath = `/me/favorite?type=${ContentType.Article}`

export const clientLoader = load(async ({ api, url }) => {
  const type = parseContentType(url.searchParams)
  const page = parsePage(url.searchParams)
  return { type, page, ...(await api(favorites.list, { type, page, size })) }
}).client

export default function MyFavorites({ loaderData: { type, total, favorite } }: Route.ComponentProps) {
  return (
    <Card title="我的收藏">
      <div className="-mt-2 mb-5 border-b border-line">
        <ChoiceTabs
          label="收藏的类别"
          choices={[
            { title: '文档', to: '/me/favorite', isChosen: type === ContentType.Document },
            { title: '文章', to: articlesPath, isChosen: type === ContentType.Article },
          ]}
        />
      </div>
      <MemberList
        total={total}
        size={size}
        rows={favorite.length}
        firstPage={type === ContentType.Article ? articlesPath : '?page=1'}
        empty={<NoFavorites type={type} />}
      >
        <ul className="divide-y divide-line">
          {favorite.map((item) =>
            type === ContentType.Article ? (
              <FavoriteArticle key={item.id} {...item} />
            ) : (
              <FavoriteDocument key={item.id} {...item} />
            ),
          )}
        </ul>
      </MemberList>
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的收藏' })
}

function FavoriteDocument(favorite: Favorite) {
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

function FavoriteArticle(favorite: Favorite) {
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

function NoFavorites({ type }: { type: ContentType }) {
  const { title, to, hint } = emptyTexts[type]
  return (
    <EmptyState title={title} drawing={<ShelfDrawing />} action={<ButtonLink to={to}>去逛逛</ButtonLink>}>
      {hint}
    </EmptyState>
  )
}

const emptyTexts = {
  [ContentType.Document]: { title: '还没有收藏文档', to: '/category', hint: '读到喜欢的文档，收藏后可以在这里找到。' },
  [ContentType.Article]: { title: '还没有收藏文章', to: '/article', hint: '读到喜欢的文章，收藏后可以在这里找到。' },
}
