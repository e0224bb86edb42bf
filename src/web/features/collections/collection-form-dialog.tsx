import { useState, type FormEvent } from 'react'
import { allCodes } from '#shared/codes.ts'
import { CollectionVisibility, collectionVisibilityLabels } from '#shared/collections.ts'
import {
  type Collection,
  collections,
  maxCollectionDescription,
  maxCollectionTitle,
} from '#shared/contract/collections.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { TextArea } from '#web/ui/forms/textarea.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

type Editable = Pick<Collection, 'id' | 'title' | 'description' | 'visibility'>

interface CollectionFormDialogProps {
  /** Undefined for a new one. */
  collection?: Editable
  open: boolean
  onOpenChange: (open: boolean) => void
  onSaved: (collection: Collection) => void
}

export function CollectionFormDialog({ collection, open, onOpenChange, onSaved }: CollectionFormDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={collection ? '修改文集' : '新建文集'}>
      {open && (
        <CollectionForm
          {...(collection && { collection })}
          onCancel={() => onOpenChange(false)}
          onSaved={(saved) => {
            onOpenChange(false)
            onSaved(saved)
          }}
        />
      )}
    </Dialog>
  )
}

interface CollectionFormProps extends Pick<CollectionFormDialogProps, 'collection' | 'onSaved'> {
  onCancel: () => void
}

function CollectionForm({ collection, onCancel, onSaved }: CollectionFormProps) {
  const [title, setTitle] = useState(collection?.title ?? '')
  const [description, setDescription] = useState(collection?.description ?? '')
  const [visibility, setVisibility] = useState<CollectionVisibility>(
    collection?.visibility ?? CollectionVisibility.Public,
  )
  const [problem, setProblem] = useState('')
  const [titleError, setTitleError] = useState('')
  const [busy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (title.trim() === '') return setTitleError('请输入文集的标题')
    setBusy(true)
    try {
      const texts = { title, description, visibility }
      onSaved(
        collection
          ? await api(collections.update, { id: collection.id, ...texts })
          : await api(collections.create, texts),
      )
    } catch (error) {
      setProblem(errorMessage(error, '没有保存成功，请稍后重试'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void save(event)} className="mt-4 space-y-4">
      <TextField
        label="标题"
        name="title"
        value={title}
        onChange={setTitle}
        maxLength={maxCollectionTitle}
        error={titleError}
      />
      <TextArea
        label="简介"
        name="description"
        value={description}
        onChange={setDescription}
        rows={4}
        maxLength={maxCollectionDescription}
        help="说说收的是什么，适合谁读。"
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">谁可以看</legend>
        <div className="space-y-2">
          {allCodes(CollectionVisibility).map((code) => (
            <label
              key={code}
              className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md border border-line px-3 py-2 text-sm hover:border-edge has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="visibility"
                checked={visibility === code}
                onChange={() => setVisibility(code)}
                className="size-4 shrink-0 accent-accent"
              />
              <span className="shrink-0 font-medium">{collectionVisibilityLabels[code]}</span>
              <span className="text-muted">{hints[code]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="flex justify-end gap-3">
        <Button onClick={onCancel}>取消</Button>
        <Button type="submit" variant="primary" busy={busy}>
          保存
        </Button>
      </div>
    </form>
  )
}

const hints: Record<CollectionVisibility, string> = {
  [CollectionVisibility.Public]: '所有人都能看到和关注',
  [CollectionVisibility.Unlisted]: '知道链接的人能看到',
  [CollectionVisibility.Private]: '只有您能看到',
}
