import { CollectionVisibility, collectionVisibilityLabels } from '#shared/collections.ts'
import { ReviewStatus, reviewStatusLabels } from '#shared/enums.ts'
import { cx } from '#web/ui/class-names.ts'

interface StatusLabelsProps {
  collection: { visibility: CollectionVisibility; status: ReviewStatus }
}

/** What keeps a collection out of public lists. */
export function StatusLabels({ collection: { visibility, status } }: StatusLabelsProps) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {visibility !== CollectionVisibility.Public && (
        <span className={cx(labelClass, 'bg-sunken text-muted')}>{collectionVisibilityLabels[visibility]}</span>
      )}
      {status !== ReviewStatus.Approved && visibility !== CollectionVisibility.Private && (
        <span
          className={cx(
            labelClass,
            status === ReviewStatus.Rejected ? 'bg-danger-soft text-danger' : 'bg-warning-soft text-warning',
          )}
        >
          {reviewStatusLabels[status]}
        </span>
      )}
    </span>
  )
}

const labelClass = 'rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap'
