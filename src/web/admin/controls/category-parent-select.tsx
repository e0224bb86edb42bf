import { TreeSelect } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { ContentType } from '#shared/enums.ts'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
import { api } from '#web/lib/api.ts'
import { toTree } from '#web/lib/tree.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface CategoryParentSelectProps {
  id?: string
  type: ContentType
  value?: number
  onChange?: (value: number) => void
}

/** The parent of a category; 0 is none. */
export function CategoryParentSelect({ id, type, value = 0, onChange }: CategoryParentSelectProps) {
  const { data, error, isLoading } = useQuery(type, async () => {
    const { category } = await api(contract.categories.list, { type: [type] })
    return toTree(category)
  })
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
      loading={isLoading}
      notFoundContent={error ? getErrorMessage(error) : '没有分类'}
      onChange={(selected: number | undefined) => onChange?.(selected ?? 0)}
    />
  )
}
