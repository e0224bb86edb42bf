import { ChevronDown } from 'lucide-react'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
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
import type { ReaderModeState } from '#web/features/documents/reader/toolbar/use-reader-mode.ts'
import { ReaderActionRow, ReaderActions } from '#web/features/documents/reader/toolbar/reader-actions.tsx'
import { useKeys } from '#web/features/documents/reader/toolbar/use-keys.ts'
import { Notes } from '#web/features/documents/reader/notes/notes.tsx'
import { useReturnToNotes } from '#web/features/documents/reader/notes/use-return-to-notes.ts'
import { ResumeOffer } from '#web/features/documents/reader/position/resume-offer.tsx'
import { useReadingPosition } from '#web/features/documents/reader/position/use-reading-position.ts'
import { useReader } from '#web/features/documents/reader/pages/use-reader.ts'
import type { PlaceRef } from '#web/features/documents/reader/view/place.ts'
import { usePastFirst, useRootMark } from '#web/features/documents/reader/view/root-marks.ts'
import { useMediaQuery } from '#web/lib/browser/media-query.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { HoldFirstPaint } from '#web/ui/hold-first-paint.tsx'
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
    | 'id'
    | 'uuid'
    | 'user_id'
    | 'title'
    | 'ext'
    | 'size'
    | 'price'
    | 'downloadable'
    | 'comment_count'
    | 'cover'
    | 'pages'
    | 'visibility'
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

/** The dialog that is open at first. */
export type PagesOpening = 'print'

interface PageReaderProps extends ReaderProps, ReaderModeState {
  /** Shared with the other views. */
  place: PlaceRef
  /** Buttons of the toolbar that do not concern pages. */
  tools: ReactNode
  opening: PagesOpening | undefined
}

/** The pages of a document, one below the other. */
export function PageReader(props: PageReaderProps) {
  const { document, plan, start, find, ads, isGrowing, refresh, place, tools, opening, mode, setMode, children } = props
  const { preview, pages, outline } = plan
  const { reads_continuously, pages_per_read } = useSite().settings.display
  const step = reads_continuously ? 0 : pages_per_read
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
  const lastPosition = useReadingPosition({ uuid: document.uuid, column, current, start, preview })
  useHidingHeader()
  // The focused element receives the keys that scroll.
  useEffect(() => {
    if (full) frame.current?.focus({ preventScroll: true })
  }, [full])
  const findBar = useFindBar(frame, { isInitiallyOpen: find !== '' })
  const elements = useMemo(() => ({ frame, column, full, visibleArea }), [full])
  const [isSideOpen, setIsSideOpen] = useState(false)
  const startsWithNotes = useReturnToNotes(document.id, () => setIsSideOpen(true))
  const [isMoreOpen, setIsMoreOpen] = useState(false)
  const [overlay, setOverlay] = useState<'presentation' | 'print' | 'keys' | undefined>(opening)
  const closeSide = useCallback(() => setIsSideOpen(false), [])
  const closeMore = useCallback(() => setIsMoreOpen(false), [])
  const hasRoom = useMediaQuery('(min-width: 1280px)')
  const isDocked = isSideOpen && hasRoom
  // One panel at a time: none lies over another.
  const toggleSide = () => {
    closeMore()
    if (findBar.isOpen && !hasRoom) findBar.close()
    setIsSideOpen(!isSideOpen)
  }
  const toggleMore = () => {
    if (!isDocked) closeSide()
    if (findBar.isOpen) findBar.close()
    setIsMoreOpen(!isMoreOpen)
  }
  const openFind = () => {
    if (!isDocked) closeSide()
    closeMore()
    return findBar.open()
  }
  const isCovered = isMoreOpen || findBar.isOpen || (isSideOpen && !isDocked)
  useRootMark('data-reader-docked', isDocked)
  usePastFirst(current > 1)
  const end = useRef<HTMLDivElement>(null)
  /** What can be done about the pages that are not shown. */
  const goToEnd = () => {
    if (!isDocked) closeSide()
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
  const toggleFocus = () => {
    closeSide()
    setMode(mode === 'focus' ? 'page' : 'focus')
  }
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
    t: toggleSide,
    r: reader.rotate,
    p: () => setOverlay('presentation'),
    '?': () => setOverlay('keys'),
    '/': openFind,
    'mod+f': openFind,
    'mod+p': () => setOverlay('print'),
    ...(isMoreOpen
      ? { Escape: closeMore }
      : findBar.isOpen
        ? { Escape: findBar.close }
        : isSideOpen
          ? { Escape: closeSide }
          : full && { Escape: mode === 'focus' ? toggleFocus : toggleFull }),
  })
  const download = <ToolbarDownload document={document} />
  const sidePanel = isSideOpen && (
    <Suspense fallback={isDocked && <div className="w-68 shrink-0" />}>
      <SidePanel
        id={document.id}
        uuid={document.uuid}
        hash={document.attachment.hash}
        preview={preview}
        current={current}
        outline={outline}
        ratio={size.width / size.height}
        isDocked={isDocked}
        startsWithNotes={startsWithNotes}
        full={full}
        onGo={goTo}
        onLocked={goToEnd}
        onClose={closeSide}
      />
    </Suspense>
  )
  return (
    <section
      ref={frame}
      aria-label="文档正文"
      tabIndex={-1}
      className={cx('flex flex-col outline-none', full && 'fixed inset-0 z-45 overflow-y-auto bg-canvas')}
    >
      {mode === 'focus' && !isCovered ? (
        <Suspense>
          <QuietBar reader={reader} pages={pages} onMore={toggleMore} onClose={toggleFocus} />
        </Suspense>
      ) : (
        <Toolbar
          reader={reader}
          pages={pages}
          full={full}
          onFull={toggleFull}
          isSideOpen={isSideOpen}
          onSide={toggleSide}
          isMoreOpen={isMoreOpen}
          onMore={toggleMore}
          isFinding={findBar.isOpen}
          onFind={findBar.isOpen ? findBar.close : openFind}
          commentCount={document.comment_count}
          tools={tools}
          actions={<ReaderActions document={document} page={current} />}
          download={download}
        >
          {!isDocked && sidePanel}
          {isMoreOpen && (
            <Suspense>
              <MoreMenu
                actions={<ReaderActionRow document={document} page={current} />}
                tools={tools}
                reader={reader}
                mode={mode}
                onFull={toggleFull}
                onFocus={toggleFocus}
                onOverlay={setOverlay}
                onClose={closeMore}
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
          {!isCovered && <ResumeOffer position={lastPosition} goTo={goTo} />}
        </Toolbar>
      )}
      <Notes id={document.id} column={column} current={current} />
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
            <div className="flex flex-col items-center gap-2 py-6 print:hidden">
              <Button variant="primary" size="lg" onClick={reader.showMore}>
                <ChevronDown size={18} aria-hidden />
                继续阅读
              </Button>
              <p className="text-sm text-muted">
                已显示 {reader.shown} 页，还可以预览 {preview - reader.shown} 页
              </p>
            </div>
          ) : isGrowing ? (
            <p aria-live="polite" className="py-8 text-center text-sm text-muted print:hidden">
              其余页面正在准备，好了会自动出现
            </p>
          ) : (
            <div ref={end} className="print:hidden">
              {children}
            </div>
          )}
        </div>
      </div>
      <HoldFirstPaint id="reader-end" />
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
