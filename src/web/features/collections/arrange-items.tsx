import { maxCollectionItems } from '#shared/collections.ts'
import { collections } from '#shared/contract/collections.ts'
import { ArrangedRow } from '#web/features/collections/arranged-row.tsx'
import type { ShownItem } from '#web/features/collections/collection-summary.ts'
import { useArrangement } from '#web/features/collections/use-arrangement.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

/** All items of the member's own collection, to order, annotate and remove. */
export function ArrangeItems({ collection }: { collection: { id: number; uuid: string } }) {
  const { uuid } = collection
  const { data, error, isLoading, refetch } = useQuery(uuid, () =>
    api(collections.items, { uuid, size: maxCollectionItems }),
  )
  if (data) return <Arranging collectionId={collection.id} items={data.item} />
  return error === undefined ? (
    <SkeletonRows count={5} />
  ) : (
    <ErrorState message={errorMessage(error, '没有读到文集的内容')} retry={refetch} busy={isLoading} />
  )
}

function Arranging({ collectionId, items }: { collectionId: number; items: readonly ShownItem[] }) {
  const { rows, list, announcement, ...actions } = useArrangement(collectionId, items)
  if (rows.length === 0) {
    return <EmptyState title="文集还是空的">在文档或文章的页面上点“加入文集”。</EmptyState>
  }
  return (
    <>
      <p className="mb-3 text-sm text-muted">拖动左边的把手，或者用箭头按钮调整顺序；改动会自动保存。</p>
      <ol ref={list} aria-label="文集的内容" className="divide-y divide-line">
        {rows.map((row, index) => (
          <ArrangedRow key={row.key} row={row} place={index} last={rows.length - 1} {...actions} />
        ))}
      </ol>
      <output className="sr-only">{announcement}</output>
    </>
  )
}
