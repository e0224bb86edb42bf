import { X } from 'lucide-react'
import type { useReadingPosition } from '#web/features/documents/reader/position/use-reading-position.ts'

interface ResumeOfferProps {
  position: ReturnType<typeof useReadingPosition>
  goTo: (page: number) => void
}

/** Offers to continue on the page where the reader stopped the last time, and on the furthest one. */
export function ResumeOffer({ position, goTo }: ResumeOfferProps) {
  const { offered, furthest, isElsewhere, resume, dismiss } = position
  if (offered === undefined && furthest === undefined) return null
  return (
    <div className="absolute left-1/2 flex w-max max-w-[calc(100vw-1rem)] -translate-x-1/2 animate-appear items-center rounded-3xl border border-line bg-surface py-0.5 pr-1 pl-4 text-sm shadow-soft max-md:bottom-full max-md:mb-3 md:top-full md:mt-3">
      <span className="flex flex-wrap items-center">
        {offered !== undefined && (
          <span className="inline-flex items-center">
            <span>
              上次读到第 {offered} 页{isElsewhere && <span className="inline-block">（另一台设备）</span>}
            </span>
            <Dot />
            <button type="button" onClick={() => resume(goTo, offered)} className={goClass}>
              继续
            </button>
          </span>
        )}
        {offered !== undefined && furthest !== undefined && <span aria-hidden className="mx-2 h-4 w-px bg-line" />}
        {furthest !== undefined && (
          <button type="button" onClick={() => resume(goTo, furthest)} className={goClass}>
            最远读到第 {furthest} 页
          </button>
        )}
      </span>
      <button
        type="button"
        aria-label="不用了"
        onClick={dismiss}
        className="ml-1 inline-flex size-8 shrink-0 items-center justify-center rounded-full text-muted hover:text-ink"
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  )
}

const goClass = 'h-9 shrink-0 font-medium text-accent hover:underline'

function Dot() {
  return (
    <span aria-hidden className="mx-1.5 text-muted">
      ·
    </span>
  )
}
