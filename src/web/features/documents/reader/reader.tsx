import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { DocumentView } from '#shared/contract/documents.ts'
import { isFlowing } from '#shared/document-kinds.ts'
import { PageReader, type PagesOpening, type ReaderProps } from '#web/features/documents/reader/page-reader.tsx'
import { type ReaderModeState, useReaderMode } from '#web/features/documents/reader/toolbar/use-reader-mode.ts'
import type { Place } from '#web/features/documents/reader/view/place.ts'
import { useView } from '#web/features/documents/reader/view/use-view.ts'
import type { ReaderView } from '#web/features/documents/reader/view/view-memory.ts'
import { ViewSwitch } from '#web/features/documents/reader/view/view-switch.tsx'
import { cx } from '#web/ui/class-names.ts'
import { InlineFailure, lazyPart, type Retry } from '#web/ui/lazy-part.tsx'

const ReflowReader = lazyPart(
  async () => (await import('#web/features/documents/reader/reflow/reflow-reader.tsx')).ReflowReader,
  ViewFailure,
)

const TableReader = lazyPart(
  async () => (await import('#web/features/documents/reader/table/table-reader.tsx')).TableReader,
  ViewFailure,
)

interface Props extends Omit<ReaderProps, 'children'> {
  /** Beside the pages. */
  views: readonly DocumentView[]
  /** From the address. */
  requestedView: ReaderView | undefined
  /** Shown below the document. */
  children: (view: ReaderView) => ReactNode
}

/** A document, in the view that the reader chose. */
export function Reader({ views, requestedView, children, ...others }: Props) {
  const { ext } = others.document
  const readable = useMemo(() => ({ views, isFlowing: isFlowing(ext) }), [views, ext])
  const [view, setView] = useView({
    document: readable,
    requested: requestedView,
    start: others.start,
    find: others.find,
  })
  // Here, so that full screen lasts when the view changes.
  const readerMode = useReaderMode()
  const props = { ...others, ...readerMode, children: children(view) }
  /** What the pages open with when another view asked for it. */
  const [opening, setOpening] = useState<PagesOpening>()
  const place = useRef<Place>(undefined)
  const choose = useCallback(
    (next: ReaderView, nextOpening?: PagesOpening) => {
      setOpening(nextOpening)
      setView(next)
    },
    [setView],
  )
  const tools = useMemo(
    () => views.length > 0 && <ViewSwitch view={view} views={['pages', ...views]} onView={choose} />,
    [view, views, choose],
  )
  if (view === 'text')
    return (
      <Suspense fallback={<ViewLoading full={readerMode.mode !== 'page'} />}>
        <ReflowReader {...props} place={place} tools={tools} onPages={(next) => choose('pages', next)} />
      </Suspense>
    )
  if (view === 'table')
    return (
      <Suspense fallback={<ViewLoading full={readerMode.mode !== 'page'} />}>
        <TableReader {...props} tools={tools} />
      </Suspense>
    )
  return <PageReader {...props} place={place} tools={tools} opening={opening} />
}

interface ViewFailureProps extends Pick<ReaderModeState, 'setMode'>, Retry {
  tools: ReactNode
}

/** Not over the whole window, which without a toolbar could not be left; with the switch to the other views. */
function ViewFailure({ setMode, tools, retry }: ViewFailureProps) {
  useEffect(() => setMode('page'), [setMode])
  return (
    <div className="grid min-h-screen content-start justify-items-center gap-4 rounded-lg border border-line bg-surface p-8">
      {tools}
      <InlineFailure retry={retry} />
    </div>
  )
}

/** As high as a screen, so that nothing below it jumps. */
function ViewLoading({ full }: { full: boolean }) {
  const place = full ? 'fixed inset-0 z-45' : 'min-h-screen rounded-lg border border-line'
  return <div aria-busy className={cx(place, 'bg-surface')} />
}
