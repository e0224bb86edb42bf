import { RotateCw } from 'lucide-react'
import { memo, Suspense, useEffect, useLayoutEffect, useRef, useState, type CSSProperties } from 'react'
import type { Ground } from '#shared/grounds.ts'
import type { Highlight } from '#web/features/documents/reader/find/highlights.ts'
import { useOnline, useRetry } from '#web/lib/browser/online.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart, QuietFailure } from '#web/ui/lazy-part.tsx'

import { pagePicture, pageTextAddress } from '#web/features/documents/reader/pages/addresses.ts'

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
  /** The reader has gone to this page: its picture is requested at once, before any other. */
  isAwaited: boolean
  /** Another page is awaited: until its picture is there, this one is not requested. */
  isHeld: boolean
  /** How long the picture waits, unless this page is awaited. */
  delayMs: number
  /** The awaited picture is there, or cannot be had. */
  onArrived: (page: number) => void
  /** Loads the document again, as its addresses may have expired: when the reader asks for it, and by itself. */
  refresh: () => void
  refreshBySelf: () => void
  highlights: readonly Highlight[] | undefined
  currentHit: number | undefined
  onShown: () => void
  ground: Ground
  top: string
  left: string
  boxWidth: string
  boxHeight: string
  /** Of the page inside its box, where that shows it cropped or rotated. */
  layer: CSSProperties | undefined
}

/** A page: an empty box at its position, then the picture, then the text layer. */
export const PageBox = memo(function PageBox(props: PageBoxProps) {
  const { hash, page, title, width, height, first, isAwaited, isHeld, delayMs, onArrived, ...others } = props
  const { ground, refresh, refreshBySelf, ...rest } = others
  const { top, left, boxWidth, boxHeight, layer, ...text } = rest
  const isUrgent = first || isAwaited
  const isRequested = useRequested({ isUrgent, isHeld, delayMs })
  const [state, setState] = useState<'loading' | 'loaded' | 'failed' | 'retrying'>('loading')
  const [attempt, setAttempt] = useState(0)
  /** A browser without network may still have the picture on another ground; CSS inverts a white one (app.css). */
  const [fallback, setFallback] = useState<Ground>()
  const wanted = fallback ?? ground
  useRetry(fallback, () => setFallback(undefined))
  useEffect(() => {
    if (isAwaited && state !== 'loading') onArrived(page)
  }, [isAwaited, state, onArrived, page])
  /** Until the picture on a new ground has loaded, the old one is shown. */
  const [loaded, setLoaded] = useState(wanted)
  const retry = () => {
    setState('retrying')
    setFallback(undefined)
    setAttempt((before) => before + 1)
  }
  const picture = useRef<HTMLImageElement>(null)
  useLayoutEffect(() => {
    const image = picture.current
    // A picture of the server's HTML may have loaded before hydration.
    // oxlint-disable-next-line react/set-state-in-effect -- only the browser knows it
    if (image?.complete && image.naturalWidth > 0) setState('loaded')
    return () => queueMicrotask(() => cancelIfRemoved(image))
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each of them makes another element
  }, [isRequested, attempt])
  const onLoad = () => {
    setState('loaded')
    setLoaded(wanted)
  }
  const onError = () => {
    const other = state === 'loaded' && wanted !== loaded ? loaded : 'day'
    // One other ground for each attempt: two that both fail would follow each other without a pause.
    if (fallback !== undefined || wanted === other) setState('failed')
    else setFallback(other)
  }
  return (
    <figure
      aria-label={`第 ${page} 页`}
      data-page={page}
      data-state={state}
      style={{ top, left, width: boxWidth, height: boxHeight }}
      className="absolute overflow-hidden border border-line bg-(--paper) [contain:strict] [container-type:size]"
    >
      <div style={layer} className={layer ? 'relative' : 'relative size-full'}>
        {isRequested && state !== 'failed' && (
          <img
            key={attempt}
            ref={picture}
            src={pagePicture(hash, page, wanted)}
            alt={`${title} 第 ${page} 页`}
            width={Math.round(width)}
            height={Math.round(height)}
            draggable={false}
            fetchPriority={isUrgent ? 'high' : 'auto'}
            decoding={first ? 'sync' : 'async'}
            onLoad={onLoad}
            onError={onError}
            data-ground={loaded}
            className="block size-full select-none"
          />
        )}
        {state === 'loaded' && (
          <Suspense>
            <TextLayer address={pageTextAddress(hash, page)} {...text} />
          </Suspense>
        )}
      </div>
      {state === 'loading' && !first && (
        <span aria-hidden className="absolute inset-0 grid place-items-center text-sm text-(--on-paper)">
          {page}
        </span>
      )}
      {(state === 'failed' || state === 'retrying') && (
        <FailedPage
          page={page}
          failure={state === 'failed' ? attempt : undefined}
          retry={retry}
          refresh={refresh}
          refreshBySelf={refreshBySelf}
        />
      )}
    </figure>
  )
})

interface FailedPageProps extends Pick<PageBoxProps, 'page' | 'refresh' | 'refreshBySelf'> {
  /** The attempt that failed; undefined during the next one. */
  failure: number | undefined
  retry: () => void
}

/** Stays while the page is requested again, so that nothing flickers. */
function FailedPage({ page, failure, retry, refresh, refreshBySelf }: FailedPageProps) {
  const isOnline = useOnline()
  const retryWith = (newAddress: () => void) => {
    retry()
    if (isOnline) newAddress()
  }
  useRetry(failure, () => retryWith(refreshBySelf))
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-3 bg-(--paper) p-4 text-center text-sm text-(--on-paper)">
      <p>{isOnline ? `第 ${page} 页没有加载成功，稍后会自动重试` : `网络已断开，恢复后会自动加载第 ${page} 页`}</p>
      <Button size="sm" onClick={() => retryWith(refresh)} busy={failure === undefined}>
        {failure !== undefined && <RotateCw size={14} aria-hidden />}
        {failure === undefined ? '正在重试' : '重试'}
      </Button>
    </div>
  )
}

/** Browsers go on loading an image that has left the page, and parse it while the reader waits for another. */
function cancelIfRemoved(image: HTMLImageElement | null): void {
  if (image && !image.isConnected && !image.complete) image.removeAttribute('src')
}

function useRequested({ isUrgent, isHeld, delayMs }: { isUrgent: boolean; isHeld: boolean; delayMs: number }): boolean {
  // The wait begins once, however often another page is awaited: a reader who goes on page by page finds the next ones due.
  const [isFree, setIsFree] = useState(!isHeld)
  if (!isHeld && !isFree) setIsFree(true)
  const [isDue, setIsDue] = useState(false)
  const freeSince = useRef<number>(undefined)
  useEffect(() => {
    if (!isFree) return undefined
    const now = performance.now()
    freeSince.current ??= now
    const timer = setTimeout(() => setIsDue(true), freeSince.current + delayMs - now)
    return () => clearTimeout(timer)
  }, [isFree, delayMs])
  const isWanted = isUrgent || (isDue && !isHeld)
  const [isRequested, setIsRequested] = useState(isWanted)
  if (isWanted && !isRequested) setIsRequested(true)
  return isRequested
}
