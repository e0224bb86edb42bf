import { Suspense, useState } from 'react'
import type { Route } from './+types/page.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { CollectionHead } from '#web/features/collections/collection-head.tsx'
import { collectionMeta } from '#web/features/collections/collection-meta.ts'
import { ItemRow } from '#web/features/collections/item-row.tsx'
import { loadCollection, pageSize } from '#web/features/collections/load-collection.ts'
import { PagedList } from '#web/features/lists/paged-list.tsx'
import { describeError } from '#web/features/site/error-page.tsx'
import { NotFoundOrOwn } from '#web/features/site/not-found-or-own.tsx'
import { useRefetchWhenSignedIn } from '#web/lib/as-member.ts'
import { load } from '#web/lib/load.ts'
import { useSession } from '#web/lib/session.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Breadcrumb } from '#web/ui/navigation/breadcrumb.tsx'
import { Page } from '#web/ui/page.tsx'
import { ShelfDrawing } from '#web/ui/drawings/shelf.tsx'

// Only owners load them.
const OwnerActions = lazyPart(async () => (await import('#web/features/collections/owner-actions.tsx')).OwnerActions)
const ArrangeItems = lazyPart(async () => (await import('#web/features/collections/arrange-items.tsx')).ArrangeItems)

const page = load(loadCollection)
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: ['page'] }

export default function CollectionPage({ loaderData }: Route.ComponentProps) {
  // Another collection starts with fresh state.
  return <CollectionView key={loaderData.collection.uuid} loaded={loaderData} />
}

function CollectionView({ loaded }: { loaded: Route.ComponentProps['loaderData'] }) {
  const { collection, items, total, page, renderedAnonymously } = loaded
  useRefetchWhenSignedIn(renderedAnonymously)
  const isOwn = useSession().user.id === collection.user_id
  const [isArranging, setIsArranging] = useState(false)
  return (
    <Page>
      <Breadcrumb
        crumbs={[{ title: '首页', to: '/' }, { title: '文集', to: '/collections' }, { title: collection.title }]}
      />
      <div className="mx-auto mt-5 max-w-4xl pb-12">
        <CollectionHead
          collection={collection}
          total={total}
          isOwn={isOwn}
          actions={
            isOwn && (
              <Suspense>
                <OwnerActions collection={collection} isArranging={isArranging} onArrange={setIsArranging} />
              </Suspense>
            )
          }
        />
        {isOwn && <ReviewNotice collection={collection} />}
        <div className="mt-6 border-t border-line pt-6">
          {isOwn && isArranging ? (
            <Suspense fallback={<SkeletonRows count={5} />}>
              <ArrangeItems collection={collection} />
            </Suspense>
          ) : (
            <PagedList
              total={total}
              page={page}
              size={pageSize}
              rows={items.length}
              skeleton={<Skeleton className="my-5 h-24" />}
              empty={
                <EmptyState title="文集还是空的" drawing={<ShelfDrawing />}>
                  {isOwn ? '在文档或文章的页面上点“加入文集”。' : ''}
                </EmptyState>
              }
            >
              {items.map((item, index) => (
                <ItemRow key={item.id} item={item} place={(page - 1) * pageSize + index + 1} />
              ))}
            </PagedList>
          )}
        </div>
      </div>
    </Page>
  )
}

function ReviewNotice({ collection }: { collection: { status: ReviewStatus; reject_reason: string } }) {
  const { status, reject_reason } = collection
  if (status === ReviewStatus.Approved) return null
  return (
    <div className="mt-4">
      {status === ReviewStatus.Pending ? (
        <Notice>标题、简介和附注正在等待审核，通过之前只有您自己能看到这个文集。</Notice>
      ) : (
        <Notice tone="danger">
          文集没有通过审核，只有您自己能看到{reject_reason && `。原因：${reject_reason}`}。修改后会重新审核。
        </Notice>
      )}
    </div>
  )
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describeError(error).message } : {})
  return collectionMeta(loaderData, site)
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <NotFoundOrOwn error={error} />
}
