import type { DocumentStatus } from '#shared/document-status.ts'
import { describeStatus, type Tone } from '#web/features/documents/own/own-status.ts'

/** The status of a document, with the reason of a failure or rejection. */
export function StatusLabel({
  document,
}: {
  document: { status: DocumentStatus; convert_error?: string; reject_reason?: string }
}) {
  const { tone, label, reason } = describeStatus(document)
  return (
    <p className="mt-1.5 text-sm">
      <span className={`rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap ${toneClasses[tone]}`}>
        {label}
      </span>
      {reason !== '' && <span className="ml-2 text-danger">{reason}</span>}
    </p>
  )
}

const toneClasses: Record<Tone, string> = {
  good: 'bg-accent-soft text-accent',
  waiting: 'bg-warning-soft text-warning',
  bad: 'bg-danger-soft text-danger',
}
