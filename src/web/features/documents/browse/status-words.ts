import { documentStatusLabels, type DocumentStatus, convertingStatuses } from '#shared/document-status.ts'

interface Standing {
  status: number
  convert_error?: string
  reject_reason?: string
}

export type Tone = 'good' | 'waiting' | 'bad'

/** How a document stands, for its owner: in a word, and why if something is wrong. */
export function standingOf({ status, convert_error = '', reject_reason = '' }: Standing): {
  tone: Tone
  word: string
  why: string
} {
  if (!isStatus(status)) return { tone: 'waiting', word: '', why: '' }
  const why = status === 7 ? reject_reason : status === 3 ? convert_error : ''
  return { tone: tones[status], word: words[status], why }
}

/** What owners look for among their documents, as it stands in the address. */
export const standings: Record<string, { title: string; status: number[] }> = {
  ready: { title: '已公开', status: [2] },
  converting: { title: '转换中', status: [...convertingStatuses] },
  failed: { title: '转换失败', status: [3] },
  review: { title: '等待审核', status: [6] },
  rejected: { title: '审核未通过', status: [7] },
  disabled: { title: '已禁用', status: [4] },
}

const words: Record<DocumentStatus, string> = { ...documentStatusLabels, 2: '已公开' }

const tones: Record<DocumentStatus, Tone> = {
  0: 'waiting',
  1: 'waiting',
  2: 'good',
  3: 'bad',
  4: 'bad',
  5: 'waiting',
  6: 'waiting',
  7: 'bad',
}

function isStatus(status: number): status is DocumentStatus {
  return Object.hasOwn(documentStatusLabels, status)
}
