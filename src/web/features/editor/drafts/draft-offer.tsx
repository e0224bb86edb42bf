import { useState } from 'react'
import { formatMoment } from '#web/features/editor/format-moment.ts'
import type { OfferedDraft } from '#web/features/editor/drafts/server-drafts.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'

interface DraftOfferProps {
  drafts: readonly OfferedDraft[]
  onRestore: (draft: OfferedDraft) => Promise<void>
  onDiscard: (draft: OfferedDraft) => Promise<void>
}

/** The rest is in the list of drafts. */
const maxOffered = 3

/** Unpublished drafts of earlier visits or other windows. */
export function DraftOffer({ drafts, onRestore, onDiscard }: DraftOfferProps) {
  const [busy, setBusy] = useState('')
  const restore = async (draft: OfferedDraft) => {
    setBusy(draft.key)
    try {
      await onRestore(draft)
    } finally {
      setBusy('')
    }
  }
  const rest = drafts.length - maxOffered
  return (
    <section aria-label="未发布的草稿" className="rounded-md bg-accent-soft px-4 py-3 text-sm">
      <ul className="space-y-2">
        {drafts.slice(0, maxOffered).map((draft) => (
          <li key={draft.key} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 basis-56">
              {formatMoment(draft.at)} 有一份没有发布的草稿
              {draft.title && <span className="text-muted">：{draft.title.slice(0, 30)}</span>}
              {draft.isOutdated && <span className="block">文章在此之后有过变动，恢复后请核对</span>}
            </span>
            <span className="flex gap-3">
              <Button size="sm" variant="primary" busy={busy === draft.key} onClick={() => void restore(draft)}>
                恢复
              </Button>
              <Confirm
                title="丢弃这份草稿？"
                description="丢弃后不能找回。"
                action="丢弃"
                danger
                onConfirm={() => onDiscard(draft)}
                renderTrigger={(open) => (
                  <Button size="sm" onClick={open}>
                    丢弃
                  </Button>
                )}
              />
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <div className="mt-2">
          <ButtonLink to="/me/article" size="sm" variant="quiet">
            还有 {rest} 份，在“我的文章”里
          </ButtonLink>
        </div>
      )}
    </section>
  )
}
