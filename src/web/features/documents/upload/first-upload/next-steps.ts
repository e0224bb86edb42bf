import type { documents } from '#shared/contract/documents.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { countRows } from '#web/features/documents/upload/row.ts'

interface FirstDocuments extends Pick<ReturnType<typeof countRows>, 'converting' | 'inReview'> {
  /** Everyone may read them. */
  isPublic: boolean
}

type Earnings = Pick<Reply<typeof documents.uploadAllowance>, 'reward' | 'is_reviewed'>

/** What happens next to a member's first documents, and what they earn; the latter once it is known. */
export function nextSteps(
  { converting, inReview, isPublic }: FirstDocuments,
  earnings: Earnings | undefined,
  creditName: string,
): string[] {
  const steps: string[] = []
  if (converting > 0) steps.push('正在转换成可以在线阅读的页面。您可以离开，转换会继续。')
  if (inReview > 0 || earnings?.is_reviewed) steps.push('接下来由管理员审核，结果会通知您。')
  else if (!isPublic) steps.push('只有您允许的人看得到它。')
  else steps.push(converting > 0 ? '转换好之后，别人就搜得到、读得到。' : '它已经在书架上，别人搜得到，也读得到。')
  if (isPublic && earnings && earnings.reward > 0) steps.push(`公开发布一份，奖励 ${earnings.reward} ${creditName}。`)
  return steps
}
