import {
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { pagesPerReflow, reflowGroupStart } from '#shared/reflow.ts'
import { ToolbarDownload } from '#web/features/documents/download/download-button.tsx'
import type { PagesOpening, ReaderProps } from '#web/features/documents/reader/page-reader.tsx'
import { useFindBar } from '#web/features/documents/reader/find/use-find-bar.ts'
import { useNotesWanted } from '#web/features/documents/reader/notes/use-notes-wanted.ts'
import { useReturnToNotes } from '#web/features/documents/reader/notes/use-return-to-notes.ts'
import { useHidingHeader } from '#web/features/documents/reader/pages/use-hiding-header.ts'
import { ResumeOffer } from '#web/features/documents/reader/position/resume-offer.tsx'
import { useReadingPosition } from '#web/features/documents/reader/position/use-reading-position.ts'
import type { Span } from '#web/features/documents/reader/reflow/marks.ts'
import { createPageGroups, groupsToRelease } from '#web/features/documents/reader/reflow/page-groups.ts'
import { ReflowToolbar, type TextPanel } from '#web/features/documents/reader/reflow/reflow-toolbar.tsx'
import { TextGroups } from '#web/features/documents/reader/reflow/text-groups.tsx'
import {
  defaultTypography,
  fontFamilies,
  setTypography,
  stepSize,
  useTypography,
} from '#web/features/documents/reader/reflow/typography.ts'
import { useScreens } from '#web/features/documents/reader/reflow/use-screens.ts'
import { useTextPosition } from '#web/features/documents/reader/reflow/use-text-position.ts'
import { ReaderActionRow, ReaderActions } from '#web/features/documents/reader/toolbar/reader-actions.tsx'
import { useKeys } from '#web/features/documents/reader/toolbar/use-keys.ts'
import type { ReaderModeState } from '#web/features/documents/reader/toolbar/use-reader-mode.ts'
import { storePlace, type PlaceRef } from '#web/features/documents/reader/view/place.ts'
import { usePastFirst } from '#web/features/documents/reader/view/root-marks.ts'
import { cx } from '#web/ui/class-names.ts'
import { lazyOverlay, lazyPart, QuietFailure } from '#web/ui/lazy-part.tsx'

const SidePanel = lazyOverlay(
  async () => (await import('#web/features/documents/reader/panel/side-panel.tsx')).SidePanel,
)
const TextNotes = lazyPart(
  async () => (await import('#web/features/documents/reader/reflow/text-notes.tsx')).TextNotes,
  QuietFailure,
)
const TextFind = lazyOverlay(async () => (await import('#web/features/documents/reader/reflow/text-find.tsx')).TextFind)
const TextMenu = lazyOverlay(async () => (await import('#web/features/documents/reader/reflow/text-menu.tsx')).TextMenu)
const KeysDialog = lazyOverlay(
  async () => (await import('#web/features/documents/reader/modes/keys-dialog.tsx')).KeysDialog,
)
const TypographyPanel = lazyOverlay(
  async () => (await import('#web/features/documents/reader/reflow/typography-panel.tsx')).TypographyPanel,
)

interface ReflowReaderProps extends ReaderProps, ReaderModeState {
  /** Shared with the other views. */
  place: PlaceRef
  /** Buttons of the toolbar that do not concern the text. */
  tools: ReactNode
  /** Shows the pages as they were made. */
  onPages: (opening?: PagesOpening) => void
}

/** The text of a document in one column, set as the reader likes it. */
export function ReflowReader(props: ReflowReaderProps) {
  const { document, plan, start, ads, isGrowing, refresh, place, tools, mode, setMode, onPages, children } = props
  const { preview, pages, outline, size: sizes } = plan
  const { hash } = document.attachment
  const frame = useRef<HTMLElement>(null)
  const column = useRef<HTMLDivElement>(null)
  const full = mode !== 'page'
  const typography = useTypography()
  const [store] = useState(createPageGroups)
  const groups = useSyncExternalStore(store.subscribe, store.get, store.get)
  const load = useCallback(
    (first: number) => {
      const last = Math.min(first + pagesPerReflow - 1, preview)
      void store.load({ first, last, address: `/view/reflow/${hash}/${first}.json` })
    },
    [store, hash, preview],
  )
  const follow = (near: readonly Span[], current: number) => {
    for (const { first } of near) if (groups.get(first)?.state !== 'failed') load(first)
    for (const first of groupsToRelease(groups, reflowGroupStart(current))) {
      const span = column.current?.querySelector<HTMLElement>(`[data-first="${first}"]`)
      store.release(first, span?.offsetHeight ?? 0)
    }
  }
  const retry = (first: number) => {
    // The address may have expired.
    refresh()
    load(first)
  }
  // A new key: requests with the old one fail.
  useEffect(() => {
    for (const [first, { state }] of store.get()) if (state === 'failed' || state === 'loading') load(first)
  }, [store, load])
  useEffect(() => store.setTypography(typography), [store, typography])
  const position = useTextPosition({
    frame,
    column,
    full,
    preview,
    start,
    place,
    content: groups,
    setting: typography,
    onNear: follow,
  })
  const { current, goTo } = position
  usePastFirst(current > 1)
  const isPaged = full && typography.isPaged
  // A reader who turns pages finds every text so. An address with a fragment asks for what stands below it.
  const openPaged = useEffectEvent(() => !full && location.hash === '' && setMode('full'))
  useEffect(() => void (typography.isPaged && openPaged()), [typography.isPaged])
  const shown = useMemo(() => ({ groups, typography }), [groups, typography])
  const screens = useScreens({ frame, column, full, isOn: isPaged, content: shown })
  const lastPosition = useReadingPosition({ uuid: document.uuid, column, current, start, preview })
  useHidingHeader()
  useEffect(() => {
    if (full) frame.current?.focus({ preventScroll: true })
  }, [full])
  const [panel, setPanel] = useState<TextPanel>()
  const hasNotes = useNotesWanted(column)
  const startsWithNotes = useReturnToNotes(document.id, () => setPanel('side'))
  const closePanel = useCallback(() => setPanel(undefined), [])
  const end = useRef<HTMLDivElement>(null)
  /** What can be done about the pages that are not shown. */
  const goToEnd = () => {
    closePanel()
    goTo(preview)
    end.current?.scrollIntoView({ block: 'center' })
    end.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  const toggleFull = () => setMode(full ? 'page' : 'full')
  const changeSize = (direction: 1 | -1) => setTypography({ size: stepSize(typography.size, direction) })
  const [hasKeysDialog, setHasKeysDialog] = useState(false)
  const findBar = useFindBar(frame, { isInitiallyOpen: false })
  const openFind = () => {
    closePanel()
    return findBar.open()
  }
  const togglePanel = (next: TextPanel) => {
    if (findBar.isOpen) findBar.close()
    setPanel(panel === next ? undefined : next)
  }
  useKeys({
    ...(isPaged
      ? {
          ArrowLeft: () => screens.turn('previous'),
          ArrowUp: () => screens.turn('previous'),
          PageUp: () => screens.turn('previous'),
          ArrowRight: () => screens.turn('next'),
          ArrowDown: () => screens.turn('next'),
          PageDown: () => screens.turn('next'),
          ' ': () => screens.turn('next'),
        }
      : { ArrowLeft: () => goTo(current - 1), ArrowRight: () => goTo(current + 1) }),
    Home: () => goTo(1),
    End: () => goTo(preview),
    '+': () => changeSize(1),
    '=': () => changeSize(1),
    '-': () => changeSize(-1),
    '0': () => setTypography({ size: defaultTypography.size }),
    f: toggleFull,
    t: () => togglePanel('side'),
    '/': openFind,
    'mod+f': openFind,
    'mod+p': () => onPages('print'),
    '?': () => setHasKeysDialog(true),
    ...(panel ? { Escape: closePanel } : findBar.isOpen ? { Escape: findBar.close } : full && { Escape: toggleFull }),
  })
  const showPage = (page: number) => {
    storePlace(place, { page, offset: 0 })
    onPages()
  }
  const textStyle = useMemo(
    () => ({ fontFamily: fontFamilies[typography.font], fontSize: typography.size, lineHeight: typography.lineHeight }),
    [typography],
  )
  const view = useMemo(() => ({ frame, column, full }), [full])
  const [firstSize] = sizes
  return (
    <section
      ref={frame}
      aria-label="文档正文"
      tabIndex={-1}
      className={cx(
        'flex flex-col outline-none',
        full && 'fixed inset-0 z-45 bg-surface',
        isPaged ? 'touch-pinch-zoom overflow-hidden' : full && 'overflow-y-auto',
      )}
    >
      {screens.cover !== undefined && (
        <div
          aria-hidden
          data-screen-end
          style={{ top: screens.cover }}
          className="fixed inset-x-0 bottom-0 z-20 bg-surface"
        />
      )}
      <ReflowToolbar
        isHidden={!screens.hasBar}
        current={current}
        pages={pages}
        preview={preview}
        onGo={goTo}
        full={full}
        onFull={toggleFull}
        panel={panel}
        isFinding={findBar.isOpen}
        onFind={findBar.isOpen ? findBar.close : openFind}
        actions={<ReaderActions document={document} page={current} />}
        onPanel={togglePanel}
        commentCount={document.comment_count}
        tools={tools}
        download={<ToolbarDownload document={document} />}
      >
        {panel === 'side' && (
          <Suspense>
            <SidePanel
              id={document.id}
              uuid={document.uuid}
              hash={hash}
              preview={preview}
              current={current}
              outline={outline}
              ratio={firstSize ? firstSize.width / firstSize.height : 1}
              isDocked={false}
              startsWithNotes={startsWithNotes}
              full={full}
              onGo={goTo}
              onLocked={goToEnd}
              onClose={closePanel}
            />
          </Suspense>
        )}
        {panel === 'more' && (
          <Suspense>
            <TextMenu
              actions={<ReaderActionRow document={document} page={current} />}
              tools={tools}
              full={full}
              onFull={toggleFull}
              onFind={openFind}
              onClose={closePanel}
            />
          </Suspense>
        )}
        {panel === 'typography' && (
          <Suspense>
            <TypographyPanel full={full} onFull={toggleFull} onClose={closePanel} />
          </Suspense>
        )}
        {findBar.isOpen && (
          <Suspense>
            <TextFind
              id={document.id}
              view={view}
              content={groups}
              current={current}
              isPartial={preview < pages}
              openRequests={findBar.openRequests}
              onGo={goTo}
              onClose={findBar.close}
              download={<ToolbarDownload document={document} />}
            />
          </Suspense>
        )}
        {!panel && !findBar.isOpen && <ResumeOffer position={lastPosition} goTo={goTo} />}
      </ReflowToolbar>
      {hasNotes && (
        <Suspense>
          <TextNotes id={document.id} hash={hash} column={column} content={groups} current={current} />
        </Suspense>
      )}
      <div
        className={cx(
          'mt-3 bg-surface text-ink md:mt-4',
          !full && 'border-line max-md:-mx-4 max-md:border-y md:rounded-lg md:border',
        )}
      >
        <div
          ref={column}
          lang="zh"
          style={textStyle}
          className="relative mx-auto max-w-[46em] px-5 py-[1.5em] [overflow-anchor:none] wrap-anywhere md:px-16"
        >
          <TextGroups
            groups={groups}
            pictures={`/view/picture/${hash}`}
            preview={preview}
            onRetry={retry}
            onPage={showPage}
            ads={ads}
          />
        </div>
      </div>
      <div className={cx('mt-3', full && 'mx-auto w-full max-w-[80rem] px-4 pb-4')}>
        {isGrowing ? (
          <p aria-live="polite" className="py-8 text-center text-sm text-muted">
            其余页面正在准备，好了会自动出现
          </p>
        ) : (
          <div ref={end} className="print:hidden">
            {children}
          </div>
        )}
      </div>
      {hasKeysDialog && (
        <Suspense>
          <KeysDialog view="text" onClose={() => setHasKeysDialog(false)} />
        </Suspense>
      )}
    </section>
  )
}
