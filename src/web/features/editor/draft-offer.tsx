import type { Draft } from '#web/features/editor/draft.ts'
import { formatMoment } from '#web/features/editor/format-moment.ts'
import { Button } from '#web/ui/button.tsx'

interface DraftOfferProps {
  drafts: readonly Draft[]
  isOutdated: (draft: Draft) => boolean
  onRestore: (draft: Draft) => void
  onDiscard: (draft: Draft) => void
}

/** Unpublished drafts of earlier visits or other windows. */
export function DraftOffer({ drafts, isOutdated, onRestore, onDiscard }: DraftOfferProps) {
  return (
    <section aria-label="未发布的草稿" className="rounded-md bg-accent-soft px-4 py-3 text-sm">
      <ul className="space-y-2">
        {drafts.map((draft) => (
          <li key={draft.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 basis-56">
              {formatMoment(draft.at)} 有一份没有发布的草稿
              {draft.title && <span className="text-muted">：{draft.title.slice(0, 30)}</span>}
              {isOutdated(draft) && <span className="block">文章在此之后有过变动，恢复后请核对</span>}
            </span>
            <Button size="sm" variant="primary" onClick={() => onRestore(draft)}>
              恢复
            </Button>
            <Button size="sm" onClick={() => onDiscard(draft)}>
              丢弃
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
