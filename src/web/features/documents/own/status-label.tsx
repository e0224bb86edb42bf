import type { ReactNode } from 'react'
import type { DocumentStatus } from '#shared/document-status.ts'
import { describeStatus, type Tone } from '#web/features/documents/own/own-status.ts'

/** The status of a document, with the reason of a failure or rejection. */
export function StatusLabel({
  document,
  children,
}: {
  document: { status: DocumentStatus; convert_error?: string; reject_reason?: string }
  /** More badges beside it. */
  children?: ReactNode
}) {
  const { tone, label, reason } = describeStatus(document)
  return (
    <p className="mt-1.5 flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm">
      <span className={`rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap ${toneClasses[tone]}`}>
        {label}
      </span>
      {children}
      {reason !== '' && <span className="text-danger">{reason}</span>}
    </p>
  )
}

const toneClasses: Record<Tone, string> = {
  good: 'bg-accent-soft text-accent',
  waiting: 'bg-warning-soft text-warning',
  bad: 'bg-danger-soft text-danger',
}
