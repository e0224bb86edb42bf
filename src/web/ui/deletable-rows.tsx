import { useState, type ReactNode } from 'react'
import { errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface Row {
  id: number
  title: string
}

interface DeletableRowsProps<R extends Row> {
  rows: readonly R[]
  /** The title, and what is shown below it. */
  renderHead: (row: R) => ReactNode
  /** The other columns, by their headings. */
  facts: Record<string, (row: R) => string | number>
  /** Buttons before the delete button. */
  renderActions: (row: R) => ReactNode
  /** Buttons for the selected rows, beside the one that deletes them. */
  renderBulkActions?: (rows: readonly R[]) => ReactNode
  labels: {
    noun: string
    /** The Chinese measure word. */
    measure: string
    /** What deleting does; the dialog puts the title before it. */
    effect: string
    /** The message after deleting. */
    done: string
  }
  remove: (ids: number[]) => Promise<unknown>
  /** Called after a failure too: some rows may be gone. */
  onRemoved: () => void
}

/** A table of a member's own items; on a narrow screen, cards. Rows are deleted one by one or together. */
export function DeletableRows<R extends Row>({
  rows,
  renderHead,
  facts,
  renderActions,
  renderBulkActions,
  labels,
  ...removal
}: DeletableRowsProps<R>) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [deleting, setDeleting] = useState<readonly R[]>([])
  const selected = rows.filter(({ id }) => chosen.has(id))
  const choose = (changed: readonly R[], isChosen: boolean) => {
    const ids = changed.map(({ id }) => id)
    setChosen(new Set(isChosen ? [...chosen, ...ids] : [...chosen].filter((id) => !ids.includes(id))))
  }
  return (
    <>
      <div className="flex min-h-12 flex-wrap items-center gap-3 border-b border-line text-sm">
        <label className="flex items-center gap-2.5">
          <input
            type="checkbox"
            checked={selected.length === rows.length}
            onChange={({ target }) => choose(rows, target.checked)}
            className={tickClass}
          />
          全选
        </label>
        {selected.length > 0 && (
          <>
            <Button size="sm" onClick={() => setDeleting(selected)}>
              删除选中的 {selected.length} {labels.measure}
            </Button>
            {renderBulkActions?.(selected)}
          </>
        )}
      </div>
      <table className="w-full text-left text-sm max-md:block">
        <thead className="max-md:sr-only">
          <tr className="border-b border-line text-muted [&>th]:py-2.5 [&>th]:pr-4 [&>th]:font-normal [&>th]:whitespace-nowrap">
            <th>
              <span className="sr-only">选择</span>
            </th>
            <th className="w-full">标题</th>
            {Object.keys(facts).map((name) => (
              <th key={name}>{name}</th>
            ))}
            <th>
              <span className="sr-only">操作</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map((row) => (
            <tr
              key={row.id}
              className="border-b border-line align-top last:border-0 max-md:relative max-md:block max-md:py-4 max-md:pl-9"
            >
              <td className="py-3 pr-2 max-md:absolute max-md:top-1 max-md:left-0">
                <input
                  type="checkbox"
                  checked={chosen.has(row.id)}
                  onChange={({ target }) => choose([row], target.checked)}
                  aria-label={`选择“${row.title}”`}
                  className={`${tickClass} mt-0.5`}
                />
              </td>
              <td className="min-w-0 py-3 pr-4 max-md:block max-md:p-0">{renderHead(row)}</td>
              {Object.entries(facts).map(([name, fact]) => (
                <td key={name} className={factClass}>
                  <span className="mr-1 md:hidden">{name}</span>
                  {fact(row)}
                </td>
              ))}
              <td className="py-2 whitespace-nowrap max-md:mt-1.5 max-md:-ml-3 max-md:block max-md:py-0">
                {renderActions(row)}
                <Button variant="quiet" size="sm" onClick={() => setDeleting([row])} aria-label={`删除“${row.title}”`}>
                  删除
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <DeleteDialog rows={deleting} labels={labels} {...removal} onClose={() => setDeleting([])} />
    </>
  )
}

const tickClass = 'size-4.5 accent-accent'
const factClass = 'py-3 pr-4 whitespace-nowrap text-muted tabular-nums max-md:mt-1.5 max-md:inline-block max-md:py-0'

interface DeleteDialogProps extends Pick<DeletableRowsProps<Row>, 'labels' | 'remove' | 'onRemoved'> {
  rows: readonly Row[]
  onClose: () => void
}

function DeleteDialog({ rows, labels, remove, onRemoved, onClose }: DeleteDialogProps) {
  const { noun, measure, effect, done } = labels
  const [busy, setBusy] = useState(false)
  const isMany = rows.length > 1
  const confirm = async () => {
    setBusy(true)
    try {
      await remove(rows.map(({ id }) => id))
      toast(done)
    } catch (error) {
      toast(errorMessage(error, '删除没有成功，请稍后重试'), 'danger')
    } finally {
      setBusy(false)
      onClose()
      onRemoved()
    }
  }
  return (
    <Dialog
      open={rows.length > 0}
      onOpenChange={() => !busy && onClose()}
      title={isMany ? `删除选中的 ${rows.length} ${measure}${noun}？` : `删除这${measure}${noun}？`}
      description={`${isMany ? '它们' : `“${rows[0]?.title ?? ''}”`}${effect}`}
    >
      <div className="mt-6 flex justify-end gap-3">
        <Button onClick={onClose} disabled={busy}>
          取消
        </Button>
        <Button variant="danger" busy={busy} onClick={() => void confirm()}>
          删除
        </Button>
      </div>
    </Dialog>
  )
}
