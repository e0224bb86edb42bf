import { reviewStatusLabels, type ReviewStatus } from '#shared/enums.ts'
import { Notice } from '#web/ui/notice.tsx'

/** Why others do not see an article: for its author and the staff. */
export function ArticleStatus({ article }: { article: { status: number; reject_reason: string } }) {
  const { status, reject_reason } = article
  if (status === 1 || !isStatus(status)) return null
  const { tone, words } = meanings[status]
  return (
    <Notice tone={tone}>
      <p>
        <strong className="font-semibold">{reviewStatusLabels[status]}</strong>：{words}
      </p>
      {status === 2 && reject_reason !== '' && <p className="mt-1 whitespace-pre-line">原因：{reject_reason}</p>}
    </Notice>
  )
}

const meanings = {
  0: { tone: 'warning', words: '通过后其他人才能看到' },
  2: { tone: 'danger', words: '只有作者和管理人员能看到，修改后会重新审核' },
} as const

function isStatus(status: number): status is Exclude<ReviewStatus, 1> {
  return Object.hasOwn(meanings, status)
}
