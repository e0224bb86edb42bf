import { reviewStatusLabels, ReviewStatus } from '#shared/enums.ts'

export function ReviewLabel({ status }: { status: ReviewStatus }) {
  return (
    <span className={`rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap ${statusClasses[status]}`}>
      {reviewStatusLabels[status]}
    </span>
  )
}

/** The status filter of the author's list, by the value in the address. */
export const reviewStatusFilters: Record<string, { title: string; status: ReviewStatus[] }> = {
  review: { title: reviewStatusLabels[ReviewStatus.Pending], status: [ReviewStatus.Pending] },
  approved: { title: reviewStatusLabels[ReviewStatus.Approved], status: [ReviewStatus.Approved] },
  rejected: { title: reviewStatusLabels[ReviewStatus.Rejected], status: [ReviewStatus.Rejected] },
}

const statusClasses: Record<ReviewStatus, string> = {
  [ReviewStatus.Pending]: 'bg-warning-soft text-warning',
  [ReviewStatus.Approved]: 'bg-accent-soft text-accent',
  [ReviewStatus.Rejected]: 'bg-danger-soft text-danger',
}
