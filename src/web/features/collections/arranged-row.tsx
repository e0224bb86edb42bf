import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { maxItemNote } from '#shared/contract/collections.ts'
import { ItemCover, itemPath } from '#web/features/collections/item-row.tsx'
import type { Arrangement, Row } from '#web/features/collections/use-arrangement.ts'
import { errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { TextArea } from '#web/ui/forms/textarea.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

interface ArrangedRowProps extends Arrangement {
  row: Row
  place: number
  last: number
}

/** An item that its owner can move, annotate and remove. A removed one stays in place, with an undo button. */
export function ArrangedRow({ row, place, last, ...arrangement }: ArrangedRowProps) {
  const { dragged, move, remove, restore, annotate, startDrag } = arrangement
  const { item } = row
  const [editing, setEditing] = useState(false)
  const [busy, setBusy] = useState(false)
  const isRemoved = row.id === 0
  const toggle = async () => {
    setBusy(true)
    await (isRemoved ? restore(row) : remove(row))
    setBusy(false)
  }
  return (
    <li className={cx('py-3', dragged === row.key && 'relative z-10 rounded-md bg-surface shadow-soft')}>
      <div className="flex items-center gap-x-2 max-sm:flex-wrap sm:gap-x-3">
        <span
          aria-hidden
          title="拖动调整顺序"
          className="flex h-12 w-8 shrink-0 cursor-grab touch-none items-center justify-center text-muted active:cursor-grabbing"
          onPointerDown={(event) => {
            event.preventDefault()
            startDrag(row, event.button)
          }}
        >
          <GripVertical size={18} />
        </span>
        <span aria-hidden className={cx('w-9 shrink-0 max-sm:hidden', isRemoved && 'opacity-40')}>
          <ItemCover item={item} />
        </span>
        <span className={cx('min-w-0 flex-1', isRemoved && 'opacity-60')}>
          <Link to={itemPath(item)} className="line-clamp-2 font-title text-sm font-medium hover:text-accent">
            {item.title}
          </Link>
          {item.note && !editing && <span className="mt-0.5 line-clamp-1 text-sm text-muted">{item.note}</span>}
        </span>
        <span className="flex shrink-0 items-center justify-end max-sm:basis-full">
          {!isRemoved && (
            <>
              <IconButton
                label={`上移“${item.title}”`}
                aria-disabled={place === 0 || undefined}
                onClick={({ currentTarget }) => {
                  if (place === 0) return
                  move(place, place - 1)
                  focusAgain(currentTarget)
                }}
              >
                <ArrowUp size={16} aria-hidden />
              </IconButton>
              <IconButton
                label={`下移“${item.title}”`}
                aria-disabled={place === last || undefined}
                onClick={({ currentTarget }) => {
                  if (place === last) return
                  move(place, place + 1)
                  focusAgain(currentTarget)
                }}
              >
                <ArrowDown size={16} aria-hidden />
              </IconButton>
              <Button
                size="sm"
                variant="quiet"
                onClick={() => setEditing(!editing)}
                aria-expanded={editing}
                aria-label={`“${item.title}”的附注`}
              >
                附注
              </Button>
            </>
          )}
          <Button
            size="sm"
            variant={isRemoved ? 'plain' : 'quiet'}
            busy={busy}
            onClick={() => void toggle()}
            aria-label={`${isRemoved ? '撤销移除' : '移除'}“${item.title}”`}
          >
            {isRemoved ? '撤销' : '移除'}
          </Button>
        </span>
      </div>
      {editing && !isRemoved && (
        <NoteForm note={item.note} save={(note) => annotate(row, note)} onDone={() => setEditing(false)} />
      )}
    </li>
  )
}

/** The browser drops the focus of an element that is moved. */
function focusAgain(button: HTMLElement): void {
  requestAnimationFrame(() => button.focus())
}

interface NoteFormProps {
  note: string
  save: (note: string) => Promise<void>
  onDone: () => void
}

function NoteForm({ note, save, onDone }: NoteFormProps) {
  const [text, setText] = useState(note)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await save(text.trim())
      onDone()
    } catch (error) {
      setProblem(errorMessage(error, '附注没有保存，请稍后重试'))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="mt-2 pl-8 sm:pl-11">
      <TextArea
        label="附注"
        name="note"
        value={text}
        onChange={setText}
        rows={2}
        maxLength={maxItemNote}
        help="读者会在这一项下面看到，例如为什么收它、先读哪几页。"
        error={problem}
      />
      <div className="mt-2 flex gap-2">
        <Button type="submit" size="sm" variant="primary" busy={busy}>
          保存附注
        </Button>
        <Button size="sm" variant="quiet" onClick={onDone}>
          取消
        </Button>
      </div>
    </form>
  )
}
