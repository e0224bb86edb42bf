import { X } from 'lucide-react'

interface ResumeOfferProps {
  page: number
  /** On another device. */
  isElsewhere: boolean | undefined
  onGo: () => void
  onDismiss: () => void
}

/** Offers to continue on the page where the reader stopped the last time. */
export function ResumeOffer({ page, isElsewhere, onGo, onDismiss }: ResumeOfferProps) {
  return (
    <div className="absolute left-1/2 flex w-max max-w-[calc(100vw-1rem)] -translate-x-1/2 animate-appear items-center rounded-3xl border border-line bg-surface py-0.5 pr-1 pl-4 text-sm shadow-soft max-md:bottom-full max-md:mb-3 md:top-full md:mt-3">
      <span>
        上次读到第 {page} 页{isElsewhere && <span className="inline-block">（另一台设备）</span>}
      </span>
      <span aria-hidden className="mx-1.5 text-muted">
        ·
      </span>
      <button type="button" onClick={onGo} className="h-9 shrink-0 font-medium text-accent hover:underline">
        继续
      </button>
      <button
        type="button"
        aria-label="不用了"
        onClick={onDismiss}
        className="ml-1 inline-flex size-8 shrink-0 items-center justify-center rounded-full text-muted hover:text-ink"
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  )
}
