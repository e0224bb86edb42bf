import { useMemo, type RefObject } from 'react'
import type { InlineAd } from '#web/features/ads/inline-ads.tsx'
import type { HighlightState } from '#web/features/documents/reader/find/highlights.ts'
import { pageTextAddress } from '#web/features/documents/reader/pages/addresses.ts'
import { PageBox } from '#web/features/documents/reader/pages/page-box.tsx'
import { pageSizes, type SizeRun } from '#web/features/documents/reader/pages/page-layout.ts'
import { pictureDelayMs } from '#web/features/documents/reader/pages/page-steps.ts'
import { boxStyle, eitherCss, layerStyle } from '#web/features/documents/reader/pages/page-style.ts'
import { useDoubleTap } from '#web/features/documents/reader/pages/use-double-tap.ts'
import { usePinch } from '#web/features/documents/reader/pages/use-pinch.ts'
import type { ReaderState } from '#web/features/documents/reader/pages/use-reader.ts'
import { useRefreshBySelf } from '#web/features/documents/reader/pages/use-refresh-by-self.ts'
import { zoomByTap } from '#web/features/documents/reader/pages/zoom.ts'
import { useGround } from '#web/features/documents/reader/preferences/preferences.ts'

interface PagesProps {
  column: RefObject<HTMLDivElement | null>
  reader: ReaderState
  highlightState: HighlightState
  hash: string
  title: string
  sizes: readonly SizeRun[]
  ads: readonly InlineAd[]
  refresh: () => void
}

export function Pages({ column, reader, highlightState, hash, title, sizes, ads, refresh }: PagesProps) {
  const { layout, croppedLayout = layout, crop, rotation, isMeasured, shown, rendered, preview, awaited } = reader
  const { highlights, current, onShown } = highlightState
  const ground = useGround()
  const refreshBySelf = useRefreshBySelf(refresh)
  const sizeOf = useMemo(() => pageSizes(sizes, preview), [sizes, preview])
  const layer = useMemo(() => layerStyle(crop, rotation, isMeasured), [crop, rotation, isMeasured])
  const endOf = (page: number) => eitherCss(layout.end(page), croppedLayout.end(page))
  const onDoubleTap = async (clientX: number, clientY: number) => {
    const point = reader.pointAt(clientX, clientY)
    if (reader.zoom !== 'width') return reader.zoomAround('width', { ...point, clientX, clientY })
    const { left = 0, width = 0 } = column.current?.getBoundingClientRect() ?? {}
    const module = await import('#web/features/documents/reader/pages/zoom-to-column.ts').catch(() => undefined)
    // Without a network.
    if (!module) return reader.zoomAround(zoomByTap(reader.fitPercent), { ...point, clientX, clientY })
    const address = pageTextAddress(hash, point.page)
    return module.zoomToColumn(reader, { address, point, clientX, clientY, left, width })
  }
  const onPointerUp = useDoubleTap((x, y) => void onDoubleTap(x, y))
  usePinch(column, reader)
  const withAd = ads.length === 0 ? [] : rendered.map((page) => ({ page, ad: layout.ad(page) }))
  return (
    <div className="overflow-x-auto overflow-y-hidden [container-type:inline-size]">
      <div
        ref={column}
        onPointerUp={onPointerUp}
        data-unmeasured={isMeasured ? undefined : ''}
        style={{ height: endOf(shown) }}
        className="relative touch-pan-x touch-pan-y [overflow-anchor:none]"
      >
        {rendered.map((page) => {
          const { top, left, width: boxWidth, height: boxHeight } = boxStyle(layout.box(page), croppedLayout.box(page))
          return (
            <PageBox
              key={page}
              hash={hash}
              page={page}
              title={title}
              width={sizeOf(page).width}
              height={sizeOf(page).height}
              top={top}
              left={left}
              boxWidth={boxWidth}
              boxHeight={boxHeight}
              layer={layer}
              ground={ground}
              first={page === 1}
              isAwaited={page === awaited}
              isHeld={awaited !== undefined && page !== awaited}
              delayMs={pictureDelayMs(page, reader.current)}
              onArrived={reader.onArrived}
              refresh={refresh}
              refreshBySelf={refreshBySelf}
              highlights={highlights.get(page)}
              currentHit={current?.page === page ? current.hit : undefined}
              onShown={onShown}
            />
          )
        })}
        {withAd.map(({ page, ad: index }) => {
          const ad = index === undefined ? undefined : ads[index % ads.length]
          return (
            ad && (
              <div
                key={page}
                style={{ top: `calc(${endOf(page)} - ${ad.height}px - 8px)`, height: ad.height }}
                className="absolute inset-x-0 overflow-hidden"
              >
                {ad.content}
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
