import { Globe, Link2, Lock, type LucideIcon } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { allCodes } from '#shared/codes.ts'
import { CollectionVisibility, collectionVisibilityLabels } from '#shared/collections.ts'
import { collections, maxCollectionTitle } from '#shared/contract/collections.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { ContentType } from '#shared/enums.ts'
import { collectionPath } from '#web/domain/paths.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { Select } from '#web/ui/forms/select.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

type Holding = Reply<typeof collections.holding>['collection'][number]

interface Subject {
  type: ContentType
  id: number
}

interface CollectDialogProps extends Subject {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function CollectDialog({ open, onOpenChange, ...subject }: CollectDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="加入文集"
      description="把同一主题的文档和文章收在一起，排好顺序，分享给别人。"
    >
      {open && <Body {...subject} onDone={() => onOpenChange(false)} />}
    </Dialog>
  )
}

function Body({ type, id, onDone }: Subject & { onDone: () => void }) {
  const { data, error, isLoading, refetch } = useQuery(`${type} ${id}`, () =>
    api(collections.holding, { type, content_id: id }),
  )
  if (!data) {
    return error === undefined ? (
      <div className="mt-5">
        <SkeletonRows count={3} />
      </div>
    ) : (
      <ErrorState message={errorMessage(error, '没有读到您的文集')} retry={refetch} busy={isLoading} />
    )
  }
  return (
    <>
      {data.collection.length > 0 && (
        <ul className="mt-4 -mr-2 max-h-64 overflow-y-auto pr-2">
          {data.collection.map((collection) => (
            <Row key={collection.id} collection={collection} type={type} id={id} />
          ))}
        </ul>
      )}
      <NewCollection type={type} id={id} isFirst={data.collection.length === 0} onCreated={refetch} />
      <div className="mt-6 flex items-center justify-between gap-3">
        <Link to="/me/collections" className="text-sm text-accent hover:underline">
          管理我的文集
        </Link>
        <Button variant="primary" onClick={onDone}>
          完成
        </Button>
      </div>
    </>
  )
}

/** Takes effect at once: a tick is undone by taking it away. */
function Row({ collection, type, id }: Subject & { collection: Holding }) {
  const [item, setItem] = useState(collection.item_id)
  const [isIn, setIsIn] = useState(collection.item_id > 0)
  const [busy, setBusy] = useState(false)
  const { Icon } = visibilityIcons[collection.visibility]
  const count = collection.item_count + Number(isIn) - Number(collection.item_id > 0)
  const toggle = async () => {
    if (busy) return
    setBusy(true)
    setIsIn(!isIn)
    try {
      if (isIn) await api(collections.removeItems, { id: [item] })
      const added = isIn
        ? []
        : (await api(collections.addItems, { collection_id: collection.id, item: [{ type, content_id: id }] })).id
      setItem(added[0] ?? 0)
    } catch (error) {
      setIsIn(isIn)
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="flex min-h-11 items-center gap-3 border-b border-line last:border-0">
      <label className="flex min-h-11 min-w-0 flex-1 cursor-pointer items-center gap-3 py-1.5">
        <input
          type="checkbox"
          checked={isIn}
          aria-busy={busy || undefined}
          onChange={() => void toggle()}
          className="size-4.5 shrink-0 accent-accent"
        />
        <span className="min-w-0 truncate font-title">{collection.title}</span>
        <span className="ml-auto flex shrink-0 items-center gap-1.5 text-sm text-muted tabular-nums">
          <Icon size={14} aria-hidden />
          <span className="sr-only">{collectionVisibilityLabels[collection.visibility]}</span>
          {count} 项
        </span>
      </label>
      <Link
        to={collectionPath(collection)}
        aria-label={`查看文集“${collection.title}”`}
        className="shrink-0 text-sm text-accent hover:underline"
      >
        查看
      </Link>
    </li>
  )
}

const visibilityIcons: Record<CollectionVisibility, { Icon: LucideIcon }> = {
  [CollectionVisibility.Public]: { Icon: Globe },
  [CollectionVisibility.Unlisted]: { Icon: Link2 },
  [CollectionVisibility.Private]: { Icon: Lock },
}

interface NewCollectionProps extends Subject {
  isFirst: boolean
  onCreated: () => void
}

function NewCollection({ type, id, isFirst, onCreated }: NewCollectionProps) {
  const [title, setTitle] = useState('')
  const [visibility, setVisibility] = useState<CollectionVisibility>(CollectionVisibility.Public)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const create = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (title.trim() === '') return setProblem('请输入文集的标题')
    setBusy(true)
    try {
      await api(collections.create, { title, visibility, item: [{ type, content_id: id }] })
      toast('已新建文集并加入')
      setTitle('')
      setProblem('')
      onCreated()
    } catch (error) {
      setProblem(errorMessage(error, '没有建成，请稍后重试'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void create(event)} className="mt-4 rounded-md bg-sunken p-3">
      <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
        <TextField
          label={isFirst ? '新建第一个文集' : '新建文集'}
          name="title"
          value={title}
          onChange={setTitle}
          maxLength={maxCollectionTitle}
          placeholder="例如：考研数学资料"
          error={problem}
        />
        <Select
          label="谁可以看"
          name="visibility"
          value={String(visibility)}
          onChange={(value) => setVisibility(Number(value) as CollectionVisibility)}
        >
          {allCodes(CollectionVisibility).map((code) => (
            <option key={code} value={code}>
              {collectionVisibilityLabels[code]}
            </option>
          ))}
        </Select>
      </div>
      <div className="mt-3 flex justify-end">
        <Button type="submit" size="sm" busy={busy}>
          新建并加入
        </Button>
      </div>
    </form>
  )
}
