import { useEffect, useRef, useState } from 'react'
import { documents } from '#shared/contract/documents.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { takeIntent } from '#web/lib/login-intent.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { cx } from '#web/ui/class-names.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

const labels = ['很差', '较差', '一般', '不错', '很好']
/** The API counts in hundredths of a star. */
const scorePerStar = 100

/** The member's own rating, which cannot be changed. */
export function ScoreStars({ documentId, onScored }: { documentId: number; onScored: () => void }) {
  const [ownRating, setOwnRating] = useState<number>()
  const [hovered, setHovered] = useState(0)
  const [busy, setBusy] = useState(false)
  const { data, isLoading } = useQuery(documentId, () => api(documents.ownRating, { document_id: documentId }))

  const row = useRef<HTMLFieldSetElement>(null)
  // Asked for before the login.
  useEffect(() => {
    if (takeIntent('score', documentId)) row.current?.scrollIntoView({ block: 'center' })
  }, [documentId])

  const rate = async (stars: number) => {
    if (busy) return
    setBusy(true)
    try {
      await api(documents.rate, { document_id: documentId, score: stars * scorePerStar })
      setOwnRating(stars)
      toast('感谢您的评分')
      onScored()
    } catch (error) {
      toast(errorMessage(error, '评分没有成功，请稍后重试'), 'danger')
    } finally {
      setBusy(false)
    }
  }

  const stars = ownRating ?? Math.round((data?.score ?? 0) / scorePerStar)
  if (stars > 0) {
    return (
      <p className="text-sm text-muted">
        我的评分：
        <StarRow stars={stars} />
        <span className="ml-2">{labels[stars - 1]}</span>
      </p>
    )
  }
  return (
    <fieldset
      ref={row}
      disabled={busy || isLoading}
      onPointerLeave={() => setHovered(0)}
      className="flex flex-wrap items-center justify-center gap-x-2 text-sm text-muted"
    >
      <legend className="sr-only">给这份文档评分</legend>
      <span aria-hidden>给这份文档评分</span>
      <span className="flex">
        {labels.map((label, index) => (
          <button
            key={label}
            type="button"
            aria-label={`${index + 1} 星，${label}`}
            title={label}
            onPointerEnter={() => setHovered(index + 1)}
            onFocus={() => setHovered(index + 1)}
            onBlur={() => setHovered(0)}
            onClick={() => void rate(index + 1)}
            className={cx('size-10 text-2xl leading-none', index < hovered ? 'text-[#d08700]' : 'text-edge')}
          >
            ★
          </button>
        ))}
      </span>
      <span aria-hidden className="w-8">
        {labels[hovered - 1]}
      </span>
    </fieldset>
  )
}

function StarRow({ stars }: { stars: number }) {
  return (
    <span className="text-lg leading-none text-[#d08700]">
      <span className="sr-only">{stars} 星</span>
      <span aria-hidden>{'★'.repeat(stars)}</span>
      <span aria-hidden className="text-edge opacity-50">
        {'★'.repeat(5 - stars)}
      </span>
    </span>
  )
}
