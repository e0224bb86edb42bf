import { RotateCw } from 'lucide-react'
import { memo, Suspense, useEffect, useState, type CSSProperties } from 'react'
import type { Highlight } from '#web/features/documents/reader/find/highlights.ts'
import { useWhenOnline } from '#web/lib/browser/online.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart, QuietFailure } from '#web/ui/lazy-part.tsx'

const TextLayer = lazyPart(
  async () => (await import('#web/features/documents/reader/text/text-layer.tsx')).TextLayer,
  QuietFailure,
)

interface PageBoxProps {
  hash: string
  page: number
  title: string
  width: number
  height: number
  /** The first page is part of the server's HTML and loads with high priority. */
  first: boolean
  refresh: () => void
  highlights: readonly Highlight[] | undefined
  currentHit: number | undefined
  onShown: () => void
  top: string
  boxWidth: string
  boxHeight: string
}

/** A page: a white box at its position, then the picture, then the text layer. */
export const PageBox = memo(function PageBox(props: PageBoxProps) {
  const { hash, page, title, width, height, first, refresh, top, boxWidth, boxHeight, ...text } = props
  const isRequested = useDelayed(first)
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const [attempt, setAttempt] = useState(0)
  const position: CSSProperties = {
    top,
    width: boxWidth,
    height: boxHeight,
    left: `max(0px, calc((100cqi - ${boxWidth}) / 2))`,
  }
  const retry = () => {
    setState('loading')
    setAttempt((before) => before + 1)
    refresh()
  }
  // A picture of the server's HTML may have loaded before hydration.
  const checkLoaded = (picture: HTMLImageElement | null) => {
    if (picture?.complete && picture.naturalWidth > 0) setState('loaded')
  }
  return (
    <figure
      aria-label={`第 ${page} 页`}
      data-page={page}
      style={position}
      className="absolute overflow-hidden border border-line bg-[#fff] [contain:strict]"
    >
      {isRequested && state !== 'failed' && (
        <img
          key={attempt}
          ref={checkLoaded}
          src={`/view/page/${hash}/${page}.svg`}
          alt={`${title} 第 ${page} 页`}
          width={Math.round(width)}
          height={Math.round(height)}
          draggable={false}
          fetchPriority={first ? 'high' : 'auto'}
          decoding={first ? 'sync' : 'async'}
          onLoad={() => setState('loaded')}
          onError={() => setState('failed')}
          className="block size-full"
        />
      )}
      {state === 'loading' && !first && (
        <span aria-hidden className="absolute inset-0 grid place-items-center text-sm text-[#8b928e]">
          {page}
        </span>
      )}
      {state === 'loaded' && (
        <Suspense>
          <TextLayer address={`/view/text/${hash}/${page}.json`} {...text} />
        </Suspense>
      )}
      {state === 'failed' && <FailedPage page={page} retry={retry} />}
    </figure>
  )
})

function FailedPage({ page, retry }: { page: number; retry: () => void }) {
  useWhenOnline(retry)
  return (
    <div className="grid size-full place-content-center justify-items-center gap-3 p-4 text-center text-sm text-[#5d6561]">
      <p>第 {page} 页没有加载成功</p>
      <Button size="sm" onClick={retry}>
        <RotateCw size={14} aria-hidden />
        重试
      </Button>
    </div>
  )
}

/** Pages that are scrolled past are not requested. */
const delayMs = 70

function useDelayed(isImmediate: boolean): boolean {
  const [isDue, setIsDue] = useState(isImmediate)
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), delayMs)
    return () => clearTimeout(timer)
  }, [])
  return isDue
}
