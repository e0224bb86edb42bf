import { Bookmark as BookmarkIcon } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { annotations, bookmarks, noteLimits, type Annotation, type Bookmark } from '#shared/contract/reading.ts'
import { formatTime } from '#shared/format.ts'
import { dotClasses } from '#web/features/documents/reader/notes/highlight-colors.ts'
import { BookmarkName } from '#web/features/documents/reading/bookmark-name.tsx'
import { markPath } from '#web/features/documents/reading/reading-path.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** A highlight with its note. A deleted one stays in place, with an undo button. */
export function NoteItem({ annotation }: { annotation: Annotation }) {
  const { document_id, page, quote, color, updated_at } = annotation
  const [note, setNote] = useState(annotation.note)
  const [draft, setDraft] = useState<string>()
  const { id, busy, run, remove, restore } = useEntry({
    id: annotation.id,
    remove: (entry) => api(annotations.delete, { id: [entry] }),
    add: () => api(annotations.create, { ...rangeOf(annotation), document_id, page, quote, color, note }),
  })
  const save = () =>
    run(async () => {
      const text = (draft ?? '').trim()
      await api(annotations.update, { id, color, note: text })
      setNote(text)
      setDraft(undefined)
    })
  return (
    <li className={cx('py-4 first:pt-0 last:pb-0', id === 0 && 'opacity-60')}>
      <blockquote className="flex gap-2.5">
        <span aria-hidden className={cx('w-1 shrink-0 rounded-full', dotClasses[color])} />
        <p className="min-w-0 text-sm whitespace-pre-line text-ink">{quote}</p>
      </blockquote>
      {draft === undefined ? (
        note && <p className="mt-2 pl-3.5 whitespace-pre-line">{note}</p>
      ) : (
        <textarea
          aria-label="笔记"
          value={draft}
          maxLength={noteLimits.note}
          rows={3}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the member has just asked to write
          autoFocus
          onChange={(event) => setDraft(event.target.value)}
          className="mt-2 w-full rounded-md border border-edge bg-surface px-3 py-2 text-base md:text-sm"
        />
      )}
      <Facts mark={annotation} time={updated_at}>
        {id === 0 ? (
          <Button size="sm" busy={busy} onClick={() => void restore()}>
            撤销
          </Button>
        ) : draft === undefined ? (
          <>
            <Button variant="quiet" size="sm" onClick={() => setDraft(note)}>
              {note ? '编辑' : '写笔记'}
            </Button>
            <Button variant="quiet" size="sm" busy={busy} onClick={() => void remove()}>
              删除
            </Button>
          </>
        ) : (
          <>
            <Button variant="quiet" size="sm" onClick={() => setDraft(undefined)}>
              取消
            </Button>
            <Button variant="primary" size="sm" busy={busy} onClick={() => void save()}>
              保存
            </Button>
          </>
        )}
      </Facts>
    </li>
  )
}

export function BookmarkItem({ bookmark }: { bookmark: Bookmark }) {
  const { document_id, page, created_at } = bookmark
  const [label, setLabel] = useState(bookmark.label)
  const [isNaming, setIsNaming] = useState(false)
  const renameButton = useRef<HTMLButtonElement>(null)
  const close = () => {
    flushSync(() => setIsNaming(false))
    renameButton.current?.focus()
  }
  const { id, busy, run, remove, restore } = useEntry({
    id: bookmark.id,
    remove: (entry) => api(bookmarks.delete, { id: [entry] }),
    add: () => api(bookmarks.create, { document_id, page, label }),
  })
  const rename = (name: string) =>
    run(async () => {
      await api(bookmarks.update, { id, label: name })
      setLabel(name)
      close()
    })
  return (
    <li className={cx('py-3 first:pt-0 last:pb-0', id === 0 && 'opacity-60')}>
      {isNaming && id !== 0 ? (
        <BookmarkName page={page} label={label} onSave={rename} onClose={close} />
      ) : (
        label && <p className="wrap-anywhere">{label}</p>
      )}
      <Facts
        mark={bookmark}
        time={created_at}
        icon={<BookmarkIcon size={14} fill="currentColor" className="text-[#c2410c]" aria-hidden />}
      >
        {id !== 0 && !isNaming && (
          <Button
            ref={renameButton}
            variant="quiet"
            size="sm"
            aria-label={`给第 ${page} 页的书签命名`}
            onClick={() => setIsNaming(true)}
          >
            {label ? '改名' : '命名'}
          </Button>
        )}
        <Button variant="quiet" size="sm" busy={busy} onClick={() => void (id === 0 ? restore() : remove())}>
          {id === 0 ? '撤销' : '取消书签'}
        </Button>
      </Facts>
    </li>
  )
}

interface FactsProps {
  mark: { document_uuid: string; is_gone: boolean; page: number }
  time: number
  icon?: ReactNode
  children: ReactNode
}

function Facts({ mark, time, icon, children }: FactsProps) {
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 text-sm text-muted tabular-nums">
      <span className="inline-flex items-center gap-1.5">
        {icon}
        {mark.is_gone ? (
          `第 ${mark.page} 页`
        ) : (
          <Link to={markPath(mark)} className="text-accent hover:underline">
            第 {mark.page} 页
          </Link>
        )}
      </span>
      <span>{formatTime(time)}</span>
      <span className="ml-auto flex gap-1">{children}</span>
    </div>
  )
}

interface Entry {
  id: number
  remove: (id: number) => Promise<unknown>
  add: () => Promise<{ id: number }>
}

/** The id changes when a removed entry is added again; 0 while it is removed. */
function useEntry(entry: Entry) {
  const [id, setId] = useState(entry.id)
  const [busy, setBusy] = useState(false)
  const run = async (action: () => Promise<void>) => {
    setBusy(true)
    try {
      await action()
    } catch (error) {
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    } finally {
      setBusy(false)
    }
  }
  return {
    id,
    busy,
    run,
    remove: () =>
      run(async () => {
        await entry.remove(id)
        setId(0)
      }),
    restore: () =>
      run(async () => {
        setId((await entry.add()).id)
      }),
  }
}

function rangeOf({ start_line, start_char, end_line, end_char }: Annotation) {
  return { start_line, start_char, end_line, end_char }
}
