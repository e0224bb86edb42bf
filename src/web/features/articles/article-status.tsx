import { reviewStatusLabels, ReviewStatus } from '#shared/enums.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'

/** Tells the author and the staff why other readers do not see an article. */
export function ArticleStatus({ article }: { article: { status: ReviewStatus; reject_reason: string } }) {
  const { status, reject_reason } = article
  if (status === ReviewStatus.Approved) return null
  const { tone, explanation } = meanings[status]
  return (
    <Notice tone={tone}>
      <p>
        <strong className="font-semibold">{reviewStatusLabels[status]}</strong>：{explanation}
      </p>
      {status === ReviewStatus.Rejected && reject_reason !== '' && (
        <p className="mt-1 whitespace-pre-line">原因：{reject_reason}</p>
      )}
    </Notice>
  )
}

const meanings = {
  [ReviewStatus.Pending]: { tone: 'warning', explanation: '通过后其他人才能看到' },
  [ReviewStatus.Rejected]: { tone: 'danger', explanation: '只有作者和管理人员能看到，修改后会重新审核' },
} as const
