import { Suspense } from 'react'
import type { Document } from '#shared/contract/documents.ts'
import { isUnpreviewable } from '#shared/conversion.ts'
import { awaitsPages, documentStatusLabels, DocumentStatus } from '#shared/document-status.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { lazyPart, QuietFailure } from '#web/ui/lazy-part.tsx'

// Loaded only while a conversion is running.
const LiveConversion = lazyPart(
  async () => (await import('#web/features/documents/page/live-conversion.tsx')).LiveConversion,
  QuietFailure,
)

interface StatusBarProps {
  document: Pick<Document, 'id' | 'status' | 'pages' | 'convert_error' | 'convert_detail' | 'reject_reason'>
  /** The pages that are shown already while the others are converted. */
  shownPages: number
  onChanged: () => void
}

/** Why a document cannot be read yet, or why other readers do not see it. */
export function StatusBar({ document, shownPages, onChanged }: StatusBarProps) {
  const { status, convert_error, convert_detail, reject_reason } = document
  if (status === DocumentStatus.Converted) return null
  // A kind of file without a preview is no error.
  if (isUnpreviewable(document)) return null
  const { tone, explanation } = meanings[status]
  const reasons: Partial<Record<DocumentStatus, string>> = {
    [DocumentStatus.Rejected]: reject_reason,
    [DocumentStatus.Failed]: convert_error,
    // The machine lacks something: it will go on, but not soon.
    [DocumentStatus.Pending]: convert_error,
    [DocumentStatus.InReview]: convert_error,
  }
  const why = reasons[status]
  return (
    <Notice tone={tone}>
      <p>
        <strong className="font-semibold">{documentStatusLabels[status]}</strong>
        {why ? `：${why}` : explanation && `：${explanation}`}
      </p>
      {status === DocumentStatus.Failed && convert_detail && (
        <p className="mt-1 text-xs break-all opacity-80">{convert_detail}</p>
      )}
      {awaitsPages(document) && (
        <Suspense>
          <LiveConversion document={document} shownPages={shownPages} onChanged={onChanged} />
        </Suspense>
      )}
    </Notice>
  )
}

const meanings: Record<DocumentStatus, { tone: 'info' | 'warning' | 'danger'; explanation: string }> = {
  [DocumentStatus.Pending]: { tone: 'info', explanation: '很快就好，页面会自动出现' },
  [DocumentStatus.Converting]: { tone: 'info', explanation: '页面会自动出现' },
  [DocumentStatus.Converted]: { tone: 'info', explanation: '' },
  [DocumentStatus.Failed]: { tone: 'warning', explanation: '可以下载后查看' },
  [DocumentStatus.Disabled]: { tone: 'danger', explanation: '只有上传者和管理人员能看到' },
  [DocumentStatus.PendingReconversion]: { tone: 'info', explanation: '转换完成后会自动更新' },
  [DocumentStatus.InReview]: { tone: 'warning', explanation: '通过后其他人才能看到' },
  [DocumentStatus.Rejected]: { tone: 'danger', explanation: '只有上传者和管理人员能看到' },
  [DocumentStatus.FailedInReview]: { tone: 'danger', explanation: '只有上传者和管理人员能看到' },
}
