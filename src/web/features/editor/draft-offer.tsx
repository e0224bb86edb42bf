import type { Draft } from '#web/features/editor/draft.ts'
import { formatMoment } from '#web/features/editor/moment.ts'
import { Button } from '#web/ui/button.tsx'

interface DraftOfferProps {
  drafts: readonly Draft[]
  onRestore: (draft: Draft) => void
  onDiscard: () => void
}

/** What was not published the last time. */
export function DraftOffer({ drafts, onRestore, onDiscard }: DraftOfferProps) {
  return (
    <section
      aria-label="未发布的草稿"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md bg-accent-soft px-4 py-3 text-sm"
    >
      <ul className="min-w-0 flex-1 basis-56 space-y-2">
        {drafts.map((draft) => (
          <li key={draft.at} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1">
              {formatMoment(draft.at)} 有一份没有发布的草稿
              {draft.title && <span className="text-muted">：{draft.title.slice(0, 30)}</span>}
            </span>
            <Button size="sm" look="primary" onClick={() => onRestore(draft)}>
              恢复
            </Button>
          </li>
        ))}
      </ul>
      <Button size="sm" onClick={onDiscard}>
        丢弃
      </Button>
    </section>
  )
}
