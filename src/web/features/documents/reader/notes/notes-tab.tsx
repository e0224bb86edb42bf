import { Bookmark as BookmarkIcon, PencilLine } from 'lucide-react'
import { useRef, useState, type ReactNode, type Ref } from 'react'
import { flushSync } from 'react-dom'
import type { Annotation, Bookmark } from '#shared/contract/reading.ts'
import { attempt } from '#web/features/documents/reader/notes/attempt.ts'
import { useLoginLink } from '#web/domain/login-link.ts'
import { dotClasses } from '#web/features/documents/reader/notes/highlight-colors.ts'
import {
  edit,
  reloadMarks,
  renameBookmark,
  toggleBookmark,
  useMarks,
} from '#web/features/documents/reader/notes/marks.ts'
import { useBookmarkToggle } from '#web/features/documents/reader/notes/use-bookmark-toggle.ts'
import { ExportButton } from '#web/features/documents/reading/export-button.tsx'
import { BookmarkName } from '#web/features/documents/reading/bookmark-name.tsx'
import { FinishedButton } from '#web/features/documents/reading/finished-button.tsx'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LibraryCardDrawing } from '#web/ui/drawings/library-card.tsx'

interface NotesTabProps {
  document: { id: number; uuid: string }
  /** The page that is read. */
  current: number
  onGo: (page: number) => void
}

/** The member's bookmarks and notes in this document, by page. */
export function NotesTab({ document, current, onGo }: NotesTabProps) {
  const login = useLoginLink({ asked: 'notes', id: document.id, why: '登录后可以做笔记' })
  const isMember = isSignedIn(useSession())
  const marks = useMarks(document.id)
  const toggleCurrent = useBookmarkToggle(document.id)
  if (!isMember)
    return (
      <EmptyState
        title="登录后可以做笔记"
        drawing={<LibraryCardDrawing />}
        action={<ButtonLink {...login}>登录</ButtonLink>}
      >
        高亮、笔记和书签只有自己看得到，在每台设备上都能接着用。
      </EmptyState>
    )
  if (marks.state === 'failed')
    return (
      <EmptyState title="笔记没有加载成功" action={<Button onClick={() => reloadMarks(document.id)}>重试</Button>}>
        请检查网络后再试。
      </EmptyState>
    )
  if (marks.state === 'loading') return <SkeletonRows count={5} />
  const hasBookmark = marks.bookmarks.some(({ page }) => page === current)
  const pages = [...new Set([...marks.annotations, ...marks.bookmarks].map(({ page }) => page))].toSorted(
    (a, b) => a - b,
  )
  return (
    <>
      <div className="flex flex-wrap gap-1 border-b border-line pb-2">
        <Button size="sm" variant="quiet" aria-pressed={hasBookmark} onClick={() => void toggleCurrent(current)}>
          <BookmarkIcon size={14} fill={hasBookmark ? 'currentColor' : 'none'} aria-hidden />
          {hasBookmark ? `第 ${current} 页已加书签` : `给第 ${current} 页加书签`}
        </Button>
        <FinishedButton document={document} />
        {pages.length > 0 && <ExportButton documentId={document.id} label="导出 Markdown" />}
      </div>
      {pages.length === 0 ? (
        <p className="px-2 py-4 text-sm text-muted">
          还没有笔记。选中文字就能高亮和写笔记，按 <kbd className="font-sans font-medium text-ink">B</kbd>{' '}
          或点书签图标给这一页加书签。
        </p>
      ) : (
        <ol>
          {pages.map((page) => (
            <li key={page} className="border-b border-line py-2 last:border-0">
              <button
                type="button"
                onClick={() => onGo(page)}
                className="px-2 text-xs text-muted tabular-nums hover:text-accent"
              >
                第 {page} 页
              </button>
              {marks.bookmarks
                .filter((bookmark) => bookmark.page === page)
                .map((bookmark) => (
                  <BookmarkItem key={bookmark.id} bookmark={bookmark} onGo={onGo} />
                ))}
              {marks.annotations
                .filter((annotation) => annotation.page === page)
                .map((annotation) => (
                  <AnnotationItem key={annotation.id} annotation={annotation} onGo={onGo} />
                ))}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

function BookmarkItem({ bookmark, onGo }: { bookmark: Bookmark; onGo: NotesTabProps['onGo'] }) {
  const { id, document_id, page, label } = bookmark
  const [isNaming, setIsNaming] = useState(false)
  const renameButton = useRef<HTMLButtonElement>(null)
  const close = () => {
    flushSync(() => setIsNaming(false))
    renameButton.current?.focus()
  }
  const rename = (name: string) =>
    attempt(async () => {
      await renameBookmark(id, name)
      close()
    })
  if (isNaming) return <BookmarkName page={page} label={label} onSave={rename} onClose={close} />
  return (
    <Item
      icon={<BookmarkIcon size={14} fill="currentColor" className="mt-0.5 shrink-0 text-[#c2410c]" aria-hidden />}
      onGo={() => onGo(page)}
      action={
        <>
          <ItemButton ref={renameButton} label={`给第 ${page} 页的书签命名`} onClick={() => setIsNaming(true)}>
            <PencilLine size={14} aria-hidden />
          </ItemButton>
          <ItemButton
            label={`取消第 ${page} 页的书签`}
            onClick={() => void attempt(() => toggleBookmark(document_id, page))}
          >
            取消
          </ItemButton>
        </>
      }
    >
      {label || '书签'}
    </Item>
  )
}

function AnnotationItem({ annotation, onGo }: { annotation: Annotation; onGo: NotesTabProps['onGo'] }) {
  const { id, page, quote, note, color } = annotation
  return (
    <Item
      icon={<span aria-hidden className={cx('mt-1.5 size-2.5 shrink-0 rounded-full', dotClasses[color])} />}
      onGo={() => onGo(page)}
      action={
        <ItemButton label={`编辑：${quote.slice(0, 20)}`} onClick={() => edit(id)}>
          <PencilLine size={14} aria-hidden />
        </ItemButton>
      }
    >
      <span className={cx('line-clamp-3', note && 'text-muted')}>{quote}</span>
      {note && <span className="mt-1 line-clamp-4 whitespace-pre-line">{note}</span>}
    </Item>
  )
}

interface ItemProps {
  icon: ReactNode
  action: ReactNode
  onGo: () => void
  children: ReactNode
}

function Item({ icon, action, onGo, children }: ItemProps) {
  return (
    <div className="flex items-start">
      <button
        type="button"
        onClick={onGo}
        className="flex min-w-0 flex-1 gap-2 rounded-sm px-2 py-1.5 text-left text-sm hover:bg-sunken"
      >
        {icon}
        <span className="min-w-0 flex-1">{children}</span>
      </button>
      {action}
    </div>
  )
}

interface ItemButtonProps {
  ref?: Ref<HTMLButtonElement>
  label: string
  onClick: () => void
  children: ReactNode
}

function ItemButton({ ref, label, onClick, children }: ItemButtonProps) {
  return (
    <button
      ref={ref}
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="flex min-h-8 min-w-8 shrink-0 items-center justify-center rounded-sm px-1 text-xs text-muted hover:bg-sunken hover:text-ink"
    >
      {children}
    </button>
  )
}
