import { TreeSelect } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { api } from '#web/lib/api.ts'
import { toTree } from '#web/lib/tree.ts'

interface CategoryParentProps {
  id?: string
  /** 0 documents, 1 articles. */
  type: number
  value?: number
  onChange?: (value: number) => void
}

/** The category that another one belongs to; none is the top. */
export function CategoryParent({ id, type, value = 0, onChange }: CategoryParentProps) {
  const { data, problem } = useAnswer(async () => {
    const { category } = await api(contract.categories.list, { type: [type] })
    return toTree(category)
  }, type)
  return (
    <TreeSelect
      id={id}
      treeData={data ?? []}
      fieldNames={{ label: 'title', value: 'id', children: 'children' }}
      value={value || undefined}
      allowClear
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeDefaultExpandAll
      placeholder="无，作为一级分类"
      loading={!data && !problem}
      notFoundContent={problem ?? '没有分类'}
      onChange={(chosen: number | undefined) => onChange?.(chosen ?? 0)}
    />
  )
}
