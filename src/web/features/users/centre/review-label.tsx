import { reviewStatusLabels, type ReviewStatus } from '#shared/enums.ts'

/** How an article stands, in a word. */
export function ReviewLabel({ status }: { status: number }) {
  const known = status as ReviewStatus
  return (
    <span className={`rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap ${looks[known]}`}>
      {reviewStatusLabels[known]}
    </span>
  )
}

/** What authors look for among their articles, as it stands in the address. */
export const reviewStandings: Record<string, { title: string; status: number }> = {
  review: { title: reviewStatusLabels[0], status: 0 },
  approved: { title: reviewStatusLabels[1], status: 1 },
  rejected: { title: reviewStatusLabels[2], status: 2 },
}

const looks: Record<ReviewStatus, string> = {
  0: 'bg-warning-soft text-warning',
  1: 'bg-accent-soft text-accent',
  2: 'bg-danger-soft text-danger',
}
