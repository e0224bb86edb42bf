import { Link } from 'react-router'
import { CollectionVisibility } from '#shared/collections.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { collectionPath } from '#web/domain/paths.ts'
import type { CollectionSummary } from '#web/features/collections/collection-summary.ts'
import { CoverStack } from '#web/features/collections/cover-stack.tsx'
import { StatusLabels } from '#web/features/collections/status-labels.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'

interface CollectionGridProps {
  collections: readonly CollectionSummary[]
  withOwner?: boolean
}

export function CollectionGrid({ collections, withOwner = true }: CollectionGridProps) {
  return (
    <ul className={gridClass}>
      {collections.map((collection) => (
        <CollectionCard key={collection.uuid} collection={collection} withOwner={withOwner} />
      ))}
    </ul>
  )
}

export function CollectionGridSkeleton() {
  return (
    <output aria-label="正在加载" className={gridClass}>
      {[1, 2, 3, 4].map((place) => (
        <span key={place} className="block">
          <Skeleton className="aspect-4/3" />
          <Skeleton className="mt-3 h-5" />
        </span>
      ))}
    </output>
  )
}

const gridClass = 'grid grid-cols-2 gap-x-4 gap-y-7 sm:gap-x-6 md:grid-cols-3 xl:grid-cols-4'

function CollectionCard({ collection, withOwner }: { collection: CollectionSummary; withOwner: boolean }) {
  const { title, cover, username, user_id, item_count, follower_count, visibility, status } = collection
  const isPlain = visibility === CollectionVisibility.Public && status === ReviewStatus.Approved
  return (
    <li className="min-w-0">
      <Link to={collectionPath(collection)} className="group block">
        <CoverStack covers={cover} />
        <span className="mt-2.5 line-clamp-2 font-title font-medium group-hover:text-accent">{title}</span>
      </Link>
      <p className="mt-1 flex flex-wrap gap-x-2.5 text-sm text-muted tabular-nums">
        {withOwner && (
          <Link to={`/user/${user_id}`} className="max-w-full truncate hover:text-accent">
            {username}
          </Link>
        )}
        <span>{item_count} 项</span>
        {follower_count > 0 && <span>{follower_count} 人关注</span>}
      </p>
      {!isPlain && (
        <p className="mt-1.5">
          <StatusLabels collection={collection} />
        </p>
      )}
    </li>
  )
}
