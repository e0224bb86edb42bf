import type { ReactNode } from 'react'
import { failureReasons } from '#shared/conversion.ts'
import { documentStatusLabels, type DocumentStatus } from '#shared/document-status.ts'
import { Notice } from '#web/ui/notice.tsx'

interface StatusBarProps {
  document: { status: number; convert_error: string; convert_detail: string; reject_reason: string }
  children?: ReactNode
}

/** Why a document is not as others see it, or why others do not see it. */
export function StatusBar({ document, children }: StatusBarProps) {
  const { status, convert_error, convert_detail, reject_reason } = document
  if (status === 2 || !isStatus(status)) return null
  // Nothing went wrong with a kind of file that has no pages to show.
  if (status === 3 && convert_error === failureReasons.unsupported.message) return null
  const { tone, words } = meanings[status]
  const why = status === 7 ? reject_reason : status === 3 || status === 6 ? convert_error : ''
  return (
    <Notice tone={tone}>
      <p>
        <strong className="font-semibold">{documentStatusLabels[status]}</strong>
        {why ? `：${why}` : words && `：${words}`}
      </p>
      {status === 3 && convert_detail && <p className="mt-1 text-xs break-all opacity-80">{convert_detail}</p>}
      {children}
    </Notice>
  )
}

const meanings: Record<DocumentStatus, { tone: 'info' | 'warning' | 'danger'; words: string }> = {
  0: { tone: 'info', words: '很快就好，页面会自动出现' },
  1: { tone: 'info', words: '页面会自动出现' },
  2: { tone: 'info', words: '' },
  3: { tone: 'warning', words: '暂不支持在线预览，可以下载后查看' },
  4: { tone: 'danger', words: '只有上传者和管理人员能看到' },
  5: { tone: 'info', words: '转换完成后会自动更新' },
  6: { tone: 'warning', words: '通过后其他人才能看到' },
  7: { tone: 'danger', words: '只有上传者和管理人员能看到' },
}

function isStatus(status: number): status is DocumentStatus {
  return Object.hasOwn(documentStatusLabels, status)
}
