import { ChevronDown, X } from 'lucide-react'
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import type { Marked } from '#web/features/documents/reader/marks.ts'
import { css, sizesOf, type SizeRun } from '#web/features/documents/reader/page-layout.ts'
import { PageBox } from '#web/features/documents/reader/page-box.tsx'
import { viewOf } from '#web/features/documents/reader/sight.ts'
import { Toolbar } from '#web/features/documents/reader/toolbar.tsx'
import { useDoubleTap } from '#web/features/documents/reader/use-double-tap.ts'
import { useFinding } from '#web/features/documents/reader/use-finding.ts'
import { useFull } from '#web/features/documents/reader/use-full.ts'
import { useKeys } from '#web/features/documents/reader/use-keys.ts'
import { usePlace } from '#web/features/documents/reader/use-place.ts'
import { useReader, type ReaderState } from '#web/features/documents/reader/use-reader.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'

const SidePanel = lazy(async () => ({
  default: (await import('#web/features/documents/reader/side-panel.tsx')).SidePanel,
}))

const FindBar = lazy(async () => ({
  default: (await import('#web/features/documents/reader/find-bar.tsx')).FindBar,
}))

export interface ReaderPlan {
  pages: number
  preview: number
  size: readonly SizeRun[]
  outline: readonly { title: string; page: number; level: number }[]
}

interface ReaderProps {
  document: { id: number; uuid: string; title: string; attachment: { hash: string } }
  plan: ReaderPlan
  /** How many pages come at a time. */
  step: number
  start: number
  /** Words to look for. */
  find: string
  /** What stands after each step, and how high it is. */
  between: readonly { height: number; content: ReactNode }[]
  /** Asks for the document anew: addresses of pictures may end. */
  refresh: () => void
  /** The way to what people say of it. */
  comments: ReactNode
  action: ReactNode
  /** What follows the last page. */
  end: ReactNode
}

/** The pages of a document, one below the other. */
export function Reader({ document, plan, step, start, find, between, refresh, comments, action, end }: ReaderProps) {
  const { preview, pages, outline } = plan
  const { full, setFull } = useFull()
  const heightBetween = useCallback(
    (place: number) => between[place % Math.max(1, between.length)]?.height ?? 0,
    [between],
  )
  const frame = useRef<HTMLElement>(null)
  const column = useRef<HTMLDivElement>(null)
  const reader = useReader({ frame, column, sizes: plan.size, preview, step, start, between: heightBetween, full })
  const { current, goTo, setZoom, zoomIn, zoomOut, size } = reader
  const place = usePlace({ uuid: document.uuid, current, start, preview })
  // Keys that scroll go to what has the focus.
  useEffect(() => {
    if (full) frame.current?.focus({ preventScroll: true })
  }, [full])
  const finding = useFinding(frame, find !== '')
  const scene = useMemo(() => ({ frame, column, full, viewOf }), [full])
  const [panelOpen, setPanelOpen] = useState(false)
  const closePanel = useCallback(() => setPanelOpen(false), [])
  const turnFull = () => {
    // Slides fill the screen best whole.
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
    f: turnFull,
    '/': finding.open,
    'mod+f': finding.open,
    ...(panelOpen ? { Escape: closePanel } : finding.isOpen ? { Escape: finding.close } : full && { Escape: turnFull }),
  })
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
        onFull={turnFull}
        panelOpen={panelOpen}
        onPanel={() => setPanelOpen(!panelOpen)}
        isFinding={finding.isOpen}
        onFind={finding.isOpen ? finding.close : finding.open}
        comments={comments}
        action={action}
      >
        {panelOpen && (
          <Suspense>
            <SidePanel
              hash={document.attachment.hash}
              preview={preview}
              current={current}
              outline={outline}
              ratio={size.width / size.height}
              onGo={goTo}
              onClose={closePanel}
            />
          </Suspense>
        )}
        {finding.isOpen && (
          <Suspense>
            <FindBar
              id={document.id}
              asked={finding.calls === 0 ? { words: find, page: start } : undefined}
              calls={finding.calls}
              scene={scene}
              reader={reader}
              onMarked={finding.setMarked}
              onWords={finding.noteWords}
              onClose={finding.close}
              action={action}
            />
          </Suspense>
        )}
        {place.offered !== undefined && !panelOpen && !finding.isOpen && (
          <Offer
            page={place.offered}
            onGo={(page) => {
              place.dismiss()
              goTo(page)
            }}
            onDismiss={place.dismiss}
          />
        )}
      </Toolbar>
      <div className={cx('mt-3 md:mt-4', full && 'mx-auto w-full max-w-[80rem] px-2 md:px-6')}>
        <Pages
          column={column}
          reader={reader}
          marked={finding.marked}
          document={document}
          plan={plan}
          step={step}
          between={between}
          refresh={refresh}
        />
        {reader.shown < preview ? (
          <div className="flex flex-col items-center gap-2 py-6">
            <Button look="primary" size="lg" onClick={reader.more}>
              <ChevronDown size={18} aria-hidden />
              继续阅读
            </Button>
            <p className="text-sm text-muted">
              已显示 {reader.shown} 页，还可以预览 {preview - reader.shown} 页
            </p>
          </div>
        ) : (
          end
        )}
      </div>
    </section>
  )
}

function Pages({
  column,
  reader,
  marked,
  document,
  plan,
  step,
  between,
  refresh,
}: Pick<ReaderProps, 'document' | 'plan' | 'step' | 'between' | 'refresh'> & {
  column: RefObject<HTMLDivElement | null>
  reader: ReaderState
  marked: Marked
}) {
  const { layout, shown, held } = reader
  const sizeOf = useMemo(() => sizesOf(plan.size, plan.preview), [plan])
  const onPointerUp = useDoubleTap(reader.zoomByTap)
  const inserts = between.length === 0 ? [] : held.filter((page) => page % step === 0 && page < plan.preview)
  return (
    <div className="overflow-x-auto overflow-y-hidden [container-type:inline-size]">
      <div
        ref={column}
        onPointerUp={onPointerUp}
        style={{ height: css(layout.end(shown)) }}
        className="relative touch-manipulation [overflow-anchor:none]"
      >
        {held.map((page) => {
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
              marks={marked.marks.get(page)}
              currentHit={marked.current?.page === page ? marked.current.hit : undefined}
              onShown={marked.onShown}
              top={css(box.top)}
              boxWidth={css(box.width)}
              boxHeight={css(box.height)}
            />
          )
        })}
        {inserts.map((page) => {
          const insert = between[(page / step - 1) % between.length]
          const edge = css(layout.end(page))
          return (
            <div
              key={page}
              style={{ top: `calc(${edge} - ${insert?.height ?? 0}px - 8px)`, height: insert?.height }}
              className="absolute inset-x-0 overflow-hidden"
            >
              {insert?.content}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Offer({ page, onGo, onDismiss }: { page: number; onGo: (page: number) => void; onDismiss: () => void }) {
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
