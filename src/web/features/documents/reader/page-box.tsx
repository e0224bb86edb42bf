import { RotateCw } from 'lucide-react'
import { lazy, memo, Suspense, useEffect, useState, type CSSProperties } from 'react'
import type { Mark } from '#web/features/documents/reader/marks.ts'
import { Button } from '#web/ui/button.tsx'

const TextLayer = lazy(async () => ({
  default: (await import('#web/features/documents/reader/text-layer.tsx')).TextLayer,
}))

interface PageBoxProps {
  hash: string
  page: number
  title: string
  width: number
  height: number
  /** Comes with the HTML, before everything else. */
  first: boolean
  refresh: () => void
  marks: readonly Mark[] | undefined
  currentHit: number | undefined
  onShown: () => void
  top: string
  boxWidth: string
  boxHeight: string
}

/** One page: white paper in its place, then the picture, then the text one can select. */
export const PageBox = memo(function PageBox(props: PageBoxProps) {
  const { hash, page, title, width, height, first, refresh, top, boxWidth, boxHeight, marks, currentHit, onShown } =
    props
  const isWanted = useSettled(first)
  const [state, setState] = useState<'coming' | 'here' | 'failed'>('coming')
  const [attempt, setAttempt] = useState(0)
  const place: CSSProperties = {
    top,
    width: boxWidth,
    height: boxHeight,
    left: `max(0px, calc((100cqi - ${boxWidth}) / 2))`,
  }
  const retry = () => {
    setState('coming')
    setAttempt((before) => before + 1)
    refresh()
  }
  // What the HTML brought may have arrived before anyone could listen.
  const adopt = (picture: HTMLImageElement | null) => {
    if (picture?.complete && picture.naturalWidth > 0) setState('here')
  }
  return (
    <figure
      aria-label={`第 ${page} 页`}
      data-page={page}
      style={place}
      className="absolute overflow-hidden border border-line bg-[#fff] [contain:strict]"
    >
      {isWanted && state !== 'failed' && (
        <img
          key={attempt}
          ref={adopt}
          src={`/view/page/${hash}/${page}.svg`}
          alt={`${title} 第 ${page} 页`}
          width={Math.round(width)}
          height={Math.round(height)}
          draggable={false}
          fetchPriority={first ? 'high' : 'auto'}
          decoding={first ? 'sync' : 'async'}
          onLoad={() => setState('here')}
          onError={() => setState('failed')}
          className="block size-full"
        />
      )}
      {state === 'coming' && !first && (
        <span aria-hidden className="absolute inset-0 grid place-items-center text-sm text-[#8b928e]">
          {page}
        </span>
      )}
      {state === 'here' && (
        <Suspense>
          <TextLayer
            address={`/view/text/${hash}/${page}.json`}
            marks={marks}
            currentHit={currentHit}
            onShown={onShown}
          />
        </Suspense>
      )}
      {state === 'failed' && (
        <div className="grid size-full place-content-center justify-items-center gap-3 p-4 text-center text-sm text-[#5d6561]">
          <p>第 {page} 页没有加载成功</p>
          <Button size="sm" onClick={retry}>
            <RotateCw size={14} aria-hidden />
            重试
          </Button>
        </div>
      )}
    </figure>
  )
})

/** Pages that fly by are not asked for. */
function useSettled(atOnce: boolean): boolean {
  const [isSettled, setIsSettled] = useState(atOnce)
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), 70)
    return () => clearTimeout(timer)
  }, [])
  return isSettled
}
