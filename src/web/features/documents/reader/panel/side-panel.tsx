import { X } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { documents } from '#shared/contract/documents.ts'
import { NotesTab } from '#web/features/documents/reader/notes/notes-tab.tsx'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Outline, type OutlineEntry } from '#web/features/documents/reader/panel/outline.tsx'
import { Thumbnails } from '#web/features/documents/reader/panel/thumbnails.tsx'
import { useDismiss, usePanelFocus } from '#web/features/documents/reader/toolbar/use-panel.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { phoneQuery } from '#web/lib/browser/media-query.ts'

interface SidePanelProps {
  id: number
  uuid: string
  hash: string
  preview: number
  current: number
  /** Undefined when it is to be loaded. */
  outline: readonly OutlineEntry[] | undefined
  ratio: number
  /** Beside the pages, where it stays open while reading; otherwise over them. */
  isDocked: boolean
  startsWithNotes: boolean
  /** The reader covers the site's header. */
  full: boolean
  onGo: (page: number) => void
  /** An entry beyond the preview was chosen. */
  onLocked: () => void
  onClose: () => void
}

/** The outline, if the document has one, and thumbnails of the pages. */
export function SidePanel(props: SidePanelProps) {
  const { id, uuid, hash, preview, current, outline, ratio, isDocked, startsWithNotes, full } = props
  const { onGo, onLocked, onClose } = props
  const hasOutline = outline === undefined || outline.length > 0
  const [tab, setTab] = useState<'outline' | 'pages' | 'notes'>(
    startsWithNotes ? 'notes' : hasOutline ? 'outline' : 'pages',
  )
  const shownTabs = tabs.filter(({ name }) => name !== 'outline' || hasOutline)
  const panel = useRef<HTMLElement>(null)
  usePanelFocus(panel)
  useDismiss(panel, onClose, !isDocked)
  const go = (page: number) => {
    onGo(page)
    if (matchMedia(phoneQuery).matches) onClose()
  }
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="目录和缩略图"
      className={cx(
        'flex flex-col overflow-hidden rounded-md border border-line bg-surface outline-none print:hidden',
        isDocked
          ? cx(
              'sticky mr-4 w-68 shrink-0 self-start',
              full ? 'top-15 h-[calc(100dvh-4.5rem)]' : 'top-[calc(7.75rem+1px)] h-[calc(100dvh-8.5rem)]',
            )
          : 'absolute left-0 z-10 max-h-[min(70dvh,44rem)] w-72 animate-appear shadow-soft max-md:bottom-full max-md:w-full max-md:rounded-b-none md:top-full md:mt-2',
      )}
    >
      <div className="flex shrink-0 items-center border-b border-line px-2 text-sm">
        <div role="tablist" className="flex min-w-0 flex-1">
          {shownTabs.map(({ name, title }) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={tab === name}
              onClick={() => setTab(name)}
              className={cx(
                'h-11 border-b-2 px-3',
                tab === name
                  ? 'border-accent font-medium text-accent'
                  : 'border-[transparent] text-muted hover:text-ink',
              )}
            >
              {title}
            </button>
          ))}
        </div>
        <IconButton label="关闭面板" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      <div
        role="tabpanel"
        aria-label={tabs.find(({ name }) => name === tab)?.title}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2"
      >
        {tab === 'outline' ? (
          <OutlineOf id={id} outline={outline}>
            {(entries) => (
              <Outline outline={entries} preview={preview} current={current} onGo={go} onLocked={onLocked} />
            )}
          </OutlineOf>
        ) : tab === 'notes' ? (
          <NotesTab document={{ id, uuid }} current={current} onGo={go} />
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
