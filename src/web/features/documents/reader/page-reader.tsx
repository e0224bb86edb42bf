import { ChevronDown, X } from 'lucide-react'
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Document } from '#shared/contract/documents.ts'
import { useSite } from '#web/domain/site.ts'
import type { InlineAd } from '#web/features/ads/inline-ads.tsx'
import { ToolbarDownload } from '#web/features/documents/download/download-button.tsx'
import { cropOf, type Crop, type SizeRun } from '#web/features/documents/reader/pages/page-layout.ts'
import { Pages } from '#web/features/documents/reader/pages/pages.tsx'
import { visibleArea } from '#web/features/documents/reader/pages/viewport.ts'
import type { OutlineEntry } from '#web/features/documents/reader/panel/outline.tsx'
import { Toolbar } from '#web/features/documents/reader/toolbar/toolbar.tsx'
import { useFindBar } from '#web/features/documents/reader/find/use-find-bar.ts'
import { useHidingHeader } from '#web/features/documents/reader/pages/use-hiding-header.ts'
import { usePreferences } from '#web/features/documents/reader/preferences/preferences.ts'
import { useReaderMode } from '#web/features/documents/reader/toolbar/use-reader-mode.ts'
import { useKeys } from '#web/features/documents/reader/toolbar/use-keys.ts'
import { useReadingPosition } from '#web/features/documents/reader/position/use-reading-position.ts'
import { useReader } from '#web/features/documents/reader/pages/use-reader.ts'
import type { PlaceRef } from '#web/features/documents/reader/view/place.ts'
import { useMediaQuery } from '#web/lib/browser/media-query.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const SidePanel = lazyOverlay(
  async () => (await import('#web/features/documents/reader/panel/side-panel.tsx')).SidePanel,
)
const FindBar = lazyOverlay(async () => (await import('#web/features/documents/reader/find/find-bar.tsx')).FindBar)
const MoreMenu = lazyOverlay(async () => (await import('#web/features/documents/reader/modes/more-menu.tsx')).MoreMenu)
const QuietBar = lazyOverlay(async () => (await import('#web/features/documents/reader/modes/quiet-bar.tsx')).QuietBar)
const ModeOverlay = lazyOverlay(
  async () => (await import('#web/features/documents/reader/modes/mode-overlay.tsx')).ModeOverlay,
)

/** An advertisement stands after so many pages where all pages follow each other. */
const pagesBetweenAds = 5

export interface ReaderPlan {
  pages: number
  preview: number
  size: readonly SizeRun[]
  /** The margins around the content of all pages, where they are alike. */
  crop?: Partial<Crop> | undefined
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
  const { mode, setMode } = useReaderMode()
  const full = mode !== 'page'
  const preferences = usePreferences()
  const adLayout = useMemo(
    () => ({
      every: step || pagesBetweenAds,
      height: (index: number) => ads[index % Math.max(1, ads.length)]?.height ?? 0,
    }),
    [step, ads],
  )
  const margins = useMemo(() => cropOf(plan.crop), [plan.crop])
  const frame = useRef<HTMLElement>(null)
  const column = useRef<HTMLDivElement>(null)
  const layoutOptions = { sizes: plan.size, margins, preview, step, start, ads: adLayout, preferences }
  const reader = useReader({ frame, column, full, place, ...layoutOptions })
  const { current, goTo, setZoom, zoomIn, zoomOut, size } = reader
  const lastPosition = useReadingPosition({ uuid: document.uuid, current, start, preview })
  useHidingHeader()
  // The focused element receives the keys that scroll.
  useEffect(() => {
    if (full) frame.current?.focus({ preventScroll: true })
  }, [full])
  const findBar = useFindBar(frame, find !== '')
  const elements = useMemo(() => ({ frame, column, full, visibleArea }), [full])
  const [panel, setPanel] = useState<'side' | 'more'>()
  const [overlay, setOverlay] = useState<'presentation' | 'print' | 'keys'>()
  const closePanel = useCallback(() => setPanel(undefined), [])
  const togglePanel = (next: 'side' | 'more') => setPanel(panel === next ? undefined : next)
  const hasRoom = useMediaQuery('(min-width: 1280px)')
  const isDocked = panel === 'side' && hasRoom
  // The list of related documents gives way (document.tsx).
  useLayoutEffect(() => {
    const { documentElement: root } = window.document
    root.toggleAttribute('data-reader-docked', isDocked)
    return () => root.removeAttribute('data-reader-docked')
  }, [isDocked])
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
    setMode(full ? 'page' : 'full')
  }
  const toggleFocus = () => setMode(mode === 'focus' ? 'page' : 'focus')
  const goBack = () => reader.previous !== undefined && goTo(reader.previous)
  const goOn = () => reader.next !== undefined && goTo(reader.next)
  useKeys({
    ArrowLeft: goBack,
    ArrowRight: goOn,
    PageUp: goBack,
    PageDown: goOn,
    Home: () => goTo(1),
    End: () => goTo(preview),
    '+': () => zoomIn !== undefined && setZoom(zoomIn),
    '=': () => zoomIn !== undefined && setZoom(zoomIn),
    '-': () => zoomOut !== undefined && setZoom(zoomOut),
    '0': () => setZoom('width'),
    f: toggleFull,
    z: toggleFocus,
    t: () => togglePanel('side'),
    r: reader.rotate,
    p: () => setOverlay('presentation'),
    '?': () => setOverlay('keys'),
    '/': findBar.open,
    'mod+f': findBar.open,
    'mod+p': () => setOverlay('print'),
    ...(panel
      ? { Escape: closePanel }
      : findBar.isOpen
        ? { Escape: findBar.close }
        : full && { Escape: () => (mode === 'focus' ? toggleFocus() : toggleFull()) }),
  })
  const download = <ToolbarDownload document={document} />
  const sidePanel = panel === 'side' && (
    <Suspense fallback={isDocked && <div className="w-68 shrink-0" />}>
      <SidePanel
        id={document.id}
        hash={document.attachment.hash}
        preview={preview}
        current={current}
        outline={outline}
        ratio={size.width / size.height}
        isDocked={isDocked}
        onGo={goTo}
        onLocked={goToEnd}
        onClose={closePanel}
      />
    </Suspense>
  )
  const isQuiet = mode === 'focus' && !panel && !findBar.isOpen
  return (
    <section
      ref={frame}
      aria-label="文档正文"
      tabIndex={-1}
      className={cx('flex flex-col outline-none', full && 'fixed inset-0 z-45 overflow-y-auto bg-canvas')}
    >
      {isQuiet ? (
        <Suspense>
          <QuietBar reader={reader} pages={pages} onMore={() => setPanel('more')} onClose={toggleFocus} />
        </Suspense>
      ) : (
        <Toolbar
          reader={reader}
          pages={pages}
          full={full}
          onFull={toggleFull}
          panel={panel}
          onPanel={togglePanel}
          isFinding={findBar.isOpen}
          onFind={findBar.isOpen ? findBar.close : findBar.open}
          commentCount={document.comment_count}
          tools={tools}
          download={download}
        >
          {!isDocked && sidePanel}
          {panel === 'more' && (
            <Suspense>
              <MoreMenu
                reader={reader}
                mode={mode}
                onFull={toggleFull}
                onFocus={toggleFocus}
                onOverlay={setOverlay}
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
          {lastPosition.offered !== undefined && !panel && !findBar.isOpen && (
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
      )}
      <div
        className={cx(
          'mt-3 flex md:mt-4',
          full && 'mx-auto w-full px-2 md:px-6',
          full && !preferences.wide && !isDocked && 'max-w-[80rem]',
        )}
      >
        {isDocked && sidePanel}
        <div className="min-w-0 flex-1">
          <Pages
            column={column}
            reader={reader}
            highlightState={findBar.highlightState}
            hash={document.attachment.hash}
            title={document.title}
            sizes={plan.size}
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
      </div>
      {overlay && (
        <Suspense>
          <ModeOverlay
            kind={overlay}
            hash={document.attachment.hash}
            title={document.title}
            sizes={plan.size}
            preview={preview}
            current={current}
            onGo={goTo}
            onClose={() => setOverlay(undefined)}
          />
        </Suspense>
      )}
    </section>
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
