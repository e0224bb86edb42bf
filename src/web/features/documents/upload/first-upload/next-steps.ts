import type { documents } from '#shared/contract/documents.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { countRows } from '#web/features/documents/upload/row.ts'

interface FirstDocuments extends Pick<ReturnType<typeof countRows>, 'published' | 'converting' | 'inReview'> {
  /** Everyone may read them. */
  isPublic: boolean
}

type Earnings = Pick<Reply<typeof documents.uploadAllowance>, 'reward' | 'rewards_left' | 'is_reviewed'>

/** What happens next to a member's first documents, and what they earn. */
export function nextSteps(
  { published, converting, inReview, isPublic }: FirstDocuments,
  { reward, rewards_left, is_reviewed }: Earnings,
  creditName: string,
): string[] {
  const steps: string[] = []
  if (converting > 0) steps.push('正在转换成可以在线阅读的页面。您可以离开，转换会继续。')
  if (inReview > 0 || (is_reviewed && converting > 0)) steps.push('接下来由管理员审核，结果会通知您。')
  else if (!isPublic) steps.push('只有您允许的人看得到它。')
  else if (converting > 0) steps.push('转换好之后，别人就搜得到、读得到。')
  else if (published > 0) steps.push('它已经在书架上，别人搜得到，也读得到。')
  if (isPublic && reward > 0 && rewards_left > 0) steps.push(`公开发布一份，奖励 ${reward} ${creditName}。`)
  return steps
}
