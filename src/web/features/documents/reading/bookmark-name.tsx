import { useState, type SyntheticEvent } from 'react'
import { noteLimits } from '#shared/contract/reading.ts'
import { Button } from '#web/ui/button.tsx'

interface BookmarkNameProps {
  page: number
  label: string
  /** Resolves when the name is saved. */
  onSave: (label: string) => Promise<unknown>
  onClose: () => void
}

/** The field for the name of a bookmark. Escape leaves the name as it is. */
export function BookmarkName({ page, label, onSave, onClose }: BookmarkNameProps) {
  const [name, setName] = useState(label)
  const [busy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setBusy(true)
    await onSave(name.trim())
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex min-w-0 flex-1 flex-wrap items-center gap-2 py-1">
      <input
        aria-label={`第 ${page} 页书签的名称`}
        value={name}
        maxLength={noteLimits.label}
        placeholder="给书签起个名字"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the member has just asked to write
        autoFocus
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          // Escape belongs to the input method while it composes.
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
          event.stopPropagation()
          onClose()
        }}
        className="h-9 min-w-32 flex-1 rounded-md border border-edge bg-surface px-2.5 text-base md:text-sm"
      />
      <span className="flex gap-1">
        <Button type="submit" variant="primary" size="sm" busy={busy}>
          保存
        </Button>
        <Button variant="quiet" size="sm" onClick={onClose}>
          取消
        </Button>
      </span>
    </form>
  )
}
