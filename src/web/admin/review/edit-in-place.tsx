import { Button, Flex, InputNumber } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import { ContentType } from '#shared/enums.ts'
import { CategoryPathSelect } from '#web/admin/controls/category-path-select.tsx'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { useCreditName } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'

/** The fields that a reviewer corrects without leaving the desk: they are saved at once. */

interface CategoryProps {
  id: number
  category: readonly { id: number; title: string }[]
}

export function EditCategory({ id, category }: CategoryProps) {
  const { canCall } = usePermissions()
  const { save } = useSave()
  const [path, setPath] = useState(() => category.map((one) => one.id))
  if (!canCall(contract.documents.setCategory)) return category.map(({ title }) => title).join(' / ') || '没有分类'
  const change = (next: number[]) => {
    if (next.length === 0) return
    const before = path
    setPath(next)
    void save('分类', async () => {
      await api(contract.documents.setCategory, { document_id: [id], category_id: next })
    }).then((isSaved) => isSaved || setPath(before))
  }
  return <CategoryPathSelect aria-label="分类" type={ContentType.Document} value={path} onChange={change} />
}

export function EditPrice({ id, price }: { id: number; price: number }) {
  const credits = useCreditName()
  const { canCall } = usePermissions()
  const { busy, save } = useSave()
  const [saved, setSaved] = useState(price)
  const [value, setValue] = useState<number | null>(price)
  if (!canCall(contract.documents.setPrice)) return price > 0 ? `${price} 个${credits}` : '免费'
  const submit = async () => {
    if (value === null || busy) return
    const isSaved = await save('价格', async () => {
      await api(contract.documents.setPrice, { id: [id], price: value })
    })
    if (isSaved) setSaved(value)
  }
  return (
    <Flex gap={8} align="center">
      <InputNumber
        aria-label={`价格，${credits}，0 为免费`}
        min={0}
        max={1_000_000}
        precision={0}
        value={value}
        suffix={value === 0 ? '免费' : credits}
        onChange={setValue}
        onPressEnter={() => void submit()}
      />
      {value !== null && value !== saved && (
        <Button loading={busy} onClick={() => void submit()}>
          保存
        </Button>
      )}
    </Flex>
  )
}

function useSave() {
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const save = async (label: string, request: () => Promise<void>): Promise<boolean> => {
    let isSaved = false
    await run(async () => {
      try {
        await request()
        isSaved = true
        showSuccess(`${label}已保存`)
      } catch (error) {
        showError(`修改${label}`, error)
      }
    })
    return isSaved
  }
  return { busy, save }
}
