import { useEffect, useState } from 'react'
import { documents } from '#shared/contract/documents.ts'
import { ApiError } from '#shared/errors.ts'
import { api } from '#web/lib/api.ts'
import { cx } from '#web/ui/class-names.ts'
import { toast } from '#web/ui/toast.tsx'

const words = ['很差', '较差', '一般', '不错', '很好']

/** A member's own judgement, given once. */
export function ScoreStars({ documentId, onScored }: { documentId: number; onScored: () => void }) {
  const [mine, setMine] = useState<number>()
  const [pointed, setPointed] = useState(0)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    let gone = false
    const show = (score: number) => !gone && setMine(score)
    api(documents.getScore, { document_id: documentId }).then(
      ({ score }) => show(score),
      () => show(0),
    )
    return () => {
      gone = true
    }
  }, [documentId])

  const give = async (stars: number) => {
    if (busy) return
    setBusy(true)
    try {
      await api(documents.addScore, { document_id: documentId, score: stars * 100 })
      setMine(stars * 100)
      toast('感谢您的评分')
      onScored()
    } catch (error) {
      toast(error instanceof ApiError ? error.message : '评分没有成功，请稍后重试', 'danger')
    } finally {
      setBusy(false)
    }
  }

  const given = Math.round((mine ?? 0) / 100)
  if (given > 0) {
    return (
      <p className="text-sm text-muted">
        我的评分：
        <StarRow stars={given} />
        <span className="ml-2">{words[given - 1]}</span>
      </p>
    )
  }
  return (
    <fieldset
      disabled={busy || mine === undefined}
      onPointerLeave={() => setPointed(0)}
      className="flex flex-wrap items-center justify-center gap-x-2 text-sm text-muted"
    >
      <legend className="sr-only">给这份文档评分</legend>
      <span aria-hidden>给这份文档评分</span>
      <span className="flex">
        {words.map((word, place) => (
          <button
            key={word}
            type="button"
            aria-label={`${place + 1} 星，${word}`}
            title={word}
            onPointerEnter={() => setPointed(place + 1)}
            onFocus={() => setPointed(place + 1)}
            onBlur={() => setPointed(0)}
            onClick={() => void give(place + 1)}
            className={cx('size-10 text-2xl leading-none', place < pointed ? 'text-[#d08700]' : 'text-edge')}
          >
            ★
          </button>
        ))}
      </span>
      <span aria-hidden className="w-8">
        {words[pointed - 1]}
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
