import { ChevronDown, X } from 'lucide-react'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { Document } from '#shared/contract/documents.ts'
import { useSite } from '#web/domain/site.ts'
import type { InlineAd } from '#web/features/ads/inline-ads.tsx'
import { ToolbarDownload } from '#web/features/documents/download/download-button.tsx'
import type { HighlightState } from '#web/features/documents/reader/find/highlights.ts'
import { toCss, pageSizes, type SizeRun } from '#web/features/documents/reader/pages/page-layout.ts'
import { PageBox } from '#web/features/documents/reader/pages/page-box.tsx'
import { visibleArea } from '#web/features/documents/reader/pages/viewport.ts'
import type { OutlineEntry } from '#web/features/documents/reader/panel/side-panel.tsx'
import { Toolbar } from '#web/features/documents/reader/toolbar/toolbar.tsx'
import { useDoubleTap } from '#web/features/documents/reader/pages/use-double-tap.ts'
import { useFindBar } from '#web/features/documents/reader/find/use-find-bar.ts'
import { useFullScreen } from '#web/features/documents/reader/toolbar/use-full-screen.ts'
import { useKeys } from '#web/features/documents/reader/toolbar/use-keys.ts'
import { useReadingPosition } from '#web/features/documents/reader/position/use-reading-position.ts'
import { useReader, type ReaderState } from '#web/features/documents/reader/pages/use-reader.ts'
import type { PlaceRef } from '#web/features/documents/reader/view/place.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const SidePanel = lazyOverlay(
  async () => (await import('#web/features/documents/reader/panel/side-panel.tsx')).SidePanel,
)

const FindBar = lazyOverlay(async () => (await import('#web/features/documents/reader/find/find-bar.tsx')).FindBar)

/** An advertisement stands after so many pages where all pages follow each other. */
const pagesBetweenAds = 5

export interface ReaderPlan {
  pages: number
  preview: number
  size: readonly SizeRun[]
  /** Undefined when it is long: the panel that shows it loads it. */
  outline?: readonly OutlineEntry[] | undefined
}

export interface ReaderProps {
  document: Pick<
    Document,
    'id' | 'uuid' | 'user_id' | 'title' | 'ext' | 'size' | 'price' | 'downloadable' | 'comment_count'
  > & {
    attachment: { hash: string }
  }
  plan: ReaderPlan
  start: number
  /** Words to search for. */
  find: string
  ads: readonly InlineAd[]
  /** More pages are being converted. */
  isGrowing: boolean
  /** Loads the document again: the addresses of pictures may expire. */
  refresh: () => void
  /** Shown below the last page of the preview. */
  children: ReactNode
}

interface PageReaderProps extends ReaderProps {
  /** Shared with the other views. */
  place: PlaceRef
  /** Buttons of the toolbar that do not concern pages. */
  tools: ReactNode
}

/** The pages of a document, one below the other. */
export function PageReader(props: PageReaderProps) {
  const { document, plan, start, find, ads, isGrowing, refresh, place, tools, children } = props
  const { preview, pages, outline } = plan
  const step = useSite().settings.display.pages_per_read
  const { full, setFull } = useFullScreen()
  const adLayout = useMemo(
    () => ({
      every: step || pagesBetweenAds,
      height: (index: number) => ads[index % Math.max(1, ads.length)]?.height ?? 0,
    }),
    [step, ads],
  )
  const frame = useRef<HTMLElement>(null)
  const column = useRef<HTMLDivElement>(null)
  const reader = useReader({ frame, column, sizes: plan.size, preview, step, start, ads: adLayout, full, place })
  const { current, goTo, setZoom, zoomIn, zoomOut, size } = reader
  const lastPosition = useReadingPosition({ uuid: document.uuid, current, start, preview })
  // The focused element receives the keys that scroll.
  useEffect(() => {
    if (full) frame.current?.focus({ preventScroll: true })
  }, [full])
  const findBar = useFindBar(frame, find !== '')
  const elements = useMemo(() => ({ frame, column, full, visibleArea }), [full])
  const [panelOpen, setPanelOpen] = useState(false)
  const closePanel = useCallback(() => setPanelOpen(false), [])
  const end = useRef<HTMLDivElement>(null)
  /** What can be done about the pages that are not shown. */
  const goToEnd = () => {
    closePanel()
    goTo(preview)
    end.current?.scrollIntoView({ block: 'center' })
    end.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  const toggleFull = () => {
    // Slides are best shown as whole pages.
    if (!full && size.width > size.height) setZoom('page')
    if (full) setZoom('width')
    setFull(!full)
  }
  useKeys({
    ArrowLeft: () => goTo(current - 1),
    ArrowRight: () => goTo(current + 1),
    PageUp: () => goTo(current - 1),
    PageDown: () => goTo(current + 1),
    Home: () => goTo(1),
    End: () => goTo(preview),
    '+': () => zoomIn !== undefined && setZoom(zoomIn),
    '=': () => zoomIn !== undefined && setZoom(zoomIn),
    '-': () => zoomOut !== undefined && setZoom(zoomOut),
    '0': () => setZoom('width'),
    f: toggleFull,
    '/': findBar.open,
    'mod+f': findBar.open,
    ...(panelOpen
      ? { Escape: closePanel }
      : findBar.isOpen
        ? { Escape: findBar.close }
        : full && { Escape: toggleFull }),
  })
  const download = <ToolbarDownload document={document} />
  return (
    <section
      ref={frame}
      aria-label="文档正文"
      tabIndex={-1}
      className={cx('flex flex-col outline-none', full && 'fixed inset-0 z-45 overflow-y-auto bg-canvas')}
    >
      <Toolbar
        reader={reader}
        pages={pages}
        full={full}
        onFull={toggleFull}
        panelOpen={panelOpen}
        onPanel={() => setPanelOpen(!panelOpen)}
        isFinding={findBar.isOpen}
        onFind={findBar.isOpen ? findBar.close : findBar.open}
        commentCount={document.comment_count}
        tools={tools}
        download={download}
      >
        {panelOpen && (
          <Suspense>
            <SidePanel
              id={document.id}
              hash={document.attachment.hash}
              preview={preview}
              current={current}
              outline={outline}
              ratio={size.width / size.height}
              onGo={goTo}
              onLocked={goToEnd}
              onClose={closePanel}
            />
          </Suspense>
        )}
        {findBar.isOpen && (
          <Suspense>
            <FindBar
              id={document.id}
              initial={findBar.openRequests === 0 ? { words: find, page: start } : undefined}
              openRequests={findBar.openRequests}
              elements={elements}
              reader={reader}
              pages={pages}
              onHighlights={findBar.setHighlightState}
              onWords={findBar.storeWords}
              onClose={findBar.close}
              download={download}
            />
          </Suspense>
        )}
        {lastPosition.offered !== undefined && !panelOpen && !findBar.isOpen && (
          <ResumeOffer
            page={lastPosition.offered}
            onGo={(page) => {
              lastPosition.dismiss()
              goTo(page)
            }}
            onDismiss={lastPosition.dismiss}
          />
        )}
      </Toolbar>
      <div className={cx('mt-3 md:mt-4', full && 'mx-auto w-full max-w-[80rem] px-2 md:px-6')}>
        <Pages
          column={column}
          reader={reader}
          highlightState={findBar.highlightState}
          document={document}
          plan={plan}
          adEvery={adLayout.every}
          ads={ads}
          refresh={refresh}
        />
        {reader.shown < preview ? (
          <div className="flex flex-col items-center gap-2 py-6">
            <Button variant="primary" size="lg" onClick={reader.showMore}>
              <ChevronDown size={18} aria-hidden />
              继续阅读
            </Button>
            <p className="text-sm text-muted">
              已显示 {reader.shown} 页，还可以预览 {preview - reader.shown} 页
            </p>
          </div>
        ) : isGrowing ? (
          <p aria-live="polite" className="py-8 text-center text-sm text-muted">
            其余页面正在准备，好了会自动出现
          </p>
        ) : (
          <div ref={end}>{children}</div>
        )}
      </div>
    </section>
  )
}

interface PagesProps extends Pick<ReaderProps, 'document' | 'plan' | 'ads' | 'refresh'> {
  column: RefObject<HTMLDivElement | null>
  reader: ReaderState
  highlightState: HighlightState
  adEvery: number
}

function Pages({ column, reader, highlightState, document, plan, adEvery, ads, refresh }: PagesProps) {
  const { layout, shown, rendered } = reader
  const { highlights, current, onShown } = highlightState
  const sizeOf = useMemo(() => pageSizes(plan.size, plan.preview), [plan])
  const onPointerUp = useDoubleTap(reader.zoomByTap)
  const pagesWithAd = ads.length === 0 ? [] : rendered.filter((page) => page % adEvery === 0 && page < plan.preview)
  return (
    <div className="overflow-x-auto overflow-y-hidden [container-type:inline-size]">
      <div
        ref={column}
        onPointerUp={onPointerUp}
        style={{ height: toCss(layout.end(shown)) }}
        className="relative touch-manipulation [overflow-anchor:none]"
      >
        {rendered.map((page) => {
          const box = layout.box(page)
          const { width, height } = sizeOf(page)
          return (
            <PageBox
              key={page}
              hash={document.attachment.hash}
              page={page}
              title={document.title}
              width={width}
              height={height}
              first={page === 1}
              refresh={refresh}
              highlights={highlights.get(page)}
              currentHit={current?.page === page ? current.hit : undefined}
              onShown={onShown}
              top={toCss(box.top)}
              boxWidth={toCss(box.width)}
              boxHeight={toCss(box.height)}
            />
          )
        })}
        {pagesWithAd.map((page) => {
          const ad = ads[(page / adEvery - 1) % ads.length]
          const edge = toCss(layout.end(page))
          return (
            <div
              key={page}
              style={{ top: `calc(${edge} - ${ad?.height ?? 0}px - 8px)`, height: ad?.height }}
              className="absolute inset-x-0 overflow-hidden"
            >
              {ad?.content}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Offers to continue on the page where the reader stopped the last time. */
function ResumeOffer({ page, onGo, onDismiss }: { page: number; onGo: (page: number) => void; onDismiss: () => void }) {
  return (
    <div className="absolute left-1/2 flex -translate-x-1/2 animate-appear items-center rounded-full border border-line bg-surface py-0.5 pr-1 pl-4 text-sm whitespace-nowrap shadow-soft max-md:bottom-full max-md:mb-3 md:top-full md:mt-3">
      上次读到第 {page} 页
      <span aria-hidden className="mx-1.5 text-muted">
        ·
      </span>
      <button type="button" onClick={() => onGo(page)} className="h-9 font-medium text-accent hover:underline">
        继续
      </button>
      <button
        type="button"
        aria-label="不用了"
        onClick={onDismiss}
        className="ml-1 inline-flex size-8 items-center justify-center rounded-full text-muted hover:text-ink"
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  )
}
