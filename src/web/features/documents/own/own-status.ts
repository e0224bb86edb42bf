import { isUnpreviewable, unpreviewableLabel } from '#shared/conversion.ts'
import { documentStatusLabels, DocumentStatus, convertingStatuses } from '#shared/document-status.ts'

interface DocumentState {
  status: DocumentStatus
  convert_error?: string
  reject_reason?: string
}

export type Tone = 'good' | 'waiting' | 'bad'

/** The status of a document for its owner. */
export function describeStatus({ status, convert_error = '', reject_reason = '' }: DocumentState): {
  tone: Tone
  label: string
  reason: string
} {
  if (isUnpreviewable({ status, convert_error })) return { tone: 'good', label: unpreviewableLabel, reason: '' }
  const reasons: Partial<Record<DocumentStatus, string>> = {
    [DocumentStatus.Rejected]: reject_reason,
    [DocumentStatus.Failed]: convert_error && `${convert_error}；替换文件不占上传数量`,
  }
  return { tone: tones[status], label: labels[status], reason: reasons[status] ?? '' }
}

/** The status filter of the owner's list, by the value in the address. */
export const statusFilters: Record<string, { title: string; status: DocumentStatus[] }> = {
  ready: { title: '已发布', status: [DocumentStatus.Converted] },
  converting: { title: '转换中', status: [...convertingStatuses] },
  failed: { title: '没有预览', status: [DocumentStatus.Failed] },
  review: { title: '等待审核', status: [DocumentStatus.InReview] },
  rejected: { title: '审核未通过', status: [DocumentStatus.Rejected] },
  disabled: { title: '已禁用', status: [DocumentStatus.Disabled] },
}

const labels: Record<DocumentStatus, string> = { ...documentStatusLabels, [DocumentStatus.Converted]: '已发布' }

const tones: Record<DocumentStatus, Tone> = {
  [DocumentStatus.Pending]: 'waiting',
  [DocumentStatus.Converting]: 'waiting',
  [DocumentStatus.Converted]: 'good',
  [DocumentStatus.Failed]: 'bad',
  [DocumentStatus.Disabled]: 'bad',
  [DocumentStatus.PendingReconversion]: 'waiting',
  [DocumentStatus.InReview]: 'waiting',
  [DocumentStatus.Rejected]: 'bad',
  [DocumentStatus.FailedInReview]: 'bad',
}
