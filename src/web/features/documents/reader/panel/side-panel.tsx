import { Lock } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { documents } from '#shared/contract/documents.ts'
import { NotesTab } from '#web/features/documents/reader/notes/notes-tab.tsx'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

export interface OutlineEntry {
  title: string
  page: number
  level: number
}

interface SidePanelProps {
  id: number
  uuid: string
  hash: string
  preview: number
  current: number
  /** Undefined when it is to be loaded. */
  outline: readonly OutlineEntry[] | undefined
  ratio: number
  onGo: (page: number) => void
  /** An entry beyond the preview was chosen. */
  onLocked: () => void
  onClose: () => void
}

/** The outline, if the document has one, and thumbnails of the pages. */
export function SidePanel(props: SidePanelProps) {
  const { id, uuid, hash, preview, current, outline, ratio, onGo, onLocked, onClose } = props
  const hasOutline = outline === undefined || outline.length > 0
  const [tab, setTab] = useState<'outline' | 'pages' | 'notes'>(hasOutline ? 'outline' : 'pages')
  const shownTabs = tabs.filter(({ name }) => name !== 'outline' || hasOutline)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const inside = panel.current
    inside?.focus({ preventScroll: true })
    const close = (event: PointerEvent) => {
      const target = event.target
      if (!(target instanceof Element) || inside?.contains(target) || target.closest('[data-panel-button]')) return
      onClose()
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [onClose])
  const go = (page: number) => {
    onGo(page)
    if (matchMedia('(max-width: 767px)').matches) onClose()
  }
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="目录和缩略图"
      className="absolute left-0 flex max-h-[min(70dvh,44rem)] w-72 animate-appear flex-col overflow-hidden rounded-md border border-line bg-surface shadow-soft outline-none max-md:bottom-full max-md:w-full max-md:rounded-b-none md:top-full md:mt-2"
    >
      <div role="tablist" className="flex shrink-0 border-b border-line px-2 text-sm">
        {shownTabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            onClick={() => setTab(name)}
            className={cx(
              'h-11 border-b-2 px-3',
              tab === name ? 'border-accent font-medium text-accent' : 'border-[transparent] text-muted hover:text-ink',
            )}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        aria-label={tabs.find(({ name }) => name === tab)?.title}
        className="min-h-0 overflow-y-auto overscroll-contain p-2"
      >
        {tab === 'outline' ? (
          <OutlineOf id={id} outline={outline}>
            {(entries) => (
              <Outline outline={entries} preview={preview} current={current} onGo={go} onLocked={onLocked} />
            )}
          </OutlineOf>
        ) : tab === 'notes' ? (
          <NotesTab document={{ id, uuid }} onGo={go} />
        ) : (
          <Thumbnails hash={hash} preview={preview} current={current} ratio={ratio} onGo={go} />
        )}
      </div>
    </section>
  )
}

const tabs = [
  { name: 'outline', title: '目录' },
  { name: 'pages', title: '缩略图' },
  { name: 'notes', title: '笔记' },
] as const

interface OutlineOfProps extends Pick<SidePanelProps, 'id' | 'outline'> {
  children: (outline: readonly OutlineEntry[]) => ReactNode
}

/** A long outline is no part of the page, but loaded here. */
function OutlineOf({ id, outline, children }: OutlineOfProps) {
  return outline ? children(outline) : <LoadedOutline id={id}>{children}</LoadedOutline>
}

function LoadedOutline({ id, children }: Omit<OutlineOfProps, 'outline'>) {
  const { data, error, refetch } = useQuery(id, () => api(documents.layout, { id }))
  if (data) return children(data.outline)
  if (!error) return <SkeletonRows count={8} />
  return (
    <EmptyState title="目录没有加载成功" action={<Button onClick={refetch}>重试</Button>}>
      请检查网络后再试。
    </EmptyState>
  )
}

interface OutlineProps extends Pick<SidePanelProps, 'preview' | 'current' | 'onGo' | 'onLocked'> {
  outline: readonly OutlineEntry[]
}

/** All of it; entries beyond the preview lead to the download. */
function Outline({ outline, preview, current, onGo, onLocked }: OutlineProps) {
  const entries = outline.map((entry, index) => ({ ...entry, index }))
  const reached = Math.max(0, ...outline.map(({ page }) => (page <= current ? page : 0)))
  const activeIndex = reached > 0 ? outline.findIndex(({ page }) => page === reached) : -1
  const scrollRef = useInitialScroll()
  return (
    <>
      {outline.some(({ page }) => page > preview) && (
        <p className="sticky -top-2 flex items-center gap-1.5 bg-surface px-2 pt-2 pb-1.5 text-xs text-muted">
          <Lock size={12} aria-hidden />
          带锁的部分不在预览中，下载后可以阅读
        </p>
      )}
      <ol className="text-sm">
        {entries.map(({ title, page, level, index }) => {
          const isLocked = page > preview
          return (
            <li key={index} ref={index === activeIndex ? scrollRef : undefined}>
              <button
                type="button"
                aria-current={index === activeIndex ? 'location' : undefined}
                title={isLocked ? '需下载后查看' : undefined}
                onClick={() => (isLocked ? onLocked() : onGo(page))}
                style={{ paddingLeft: `${0.5 + Math.min(5, Math.max(0, level)) * 0.9}rem` }}
                className={cx(
                  'flex w-full gap-3 rounded-sm py-1.5 pr-2 text-left hover:bg-sunken aria-[current]:font-medium aria-[current]:text-accent',
                  isLocked && 'text-muted',
                )}
              >
                <span className="min-w-0 flex-1">{title}</span>
                {isLocked && (
                  <span className="flex h-5 items-center">
                    <Lock size={12} aria-hidden />
                    <span className="sr-only">需下载后查看</span>
                  </span>
                )}
                <span className="text-xs leading-5 text-muted tabular-nums">{page}</span>
              </button>
            </li>
          )
        })}
      </ol>
    </>
  )
}

function Thumbnails({
  hash,
  preview,
  current,
  ratio,
  onGo,
}: Pick<SidePanelProps, 'hash' | 'preview' | 'current' | 'ratio' | 'onGo'>) {
  const scrollRef = useInitialScroll()
  return (
    <ol className="grid grid-cols-2 gap-x-2 gap-y-3 max-md:grid-cols-4">
      {Array.from({ length: preview }, (_, index) => index + 1).map((page) => (
        <li key={page} ref={page === current ? scrollRef : undefined}>
          <button
            type="button"
            aria-label={`第 ${page} 页`}
            aria-current={page === current ? 'page' : undefined}
            onClick={() => onGo(page)}
            className="group block w-full rounded-sm text-center text-xs text-muted tabular-nums"
          >
            <img
              src={`/view/thumb/${hash}/${page}.webp`}
              alt=""
              loading="lazy"
              decoding="async"
              style={{ aspectRatio: ratio }}
              className="w-full rounded-sm border border-line bg-[#fff] object-contain group-hover:border-edge group-aria-[current]:border-accent group-aria-[current]:outline-1 group-aria-[current]:outline-accent"
            />
            <span className="mt-1 block group-aria-[current]:font-medium group-aria-[current]:text-accent">{page}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** Scrolls the list to the current page once, without scrolling the page itself. */
function useInitialScroll() {
  const isDone = useRef(false)
  return (item: HTMLLIElement | null) => {
    const box = item?.closest('.overflow-y-auto')
    if (!item || !box || isDone.current) return
    isDone.current = true
    box.scrollTop = item.offsetTop - box.clientHeight / 2
  }
}
