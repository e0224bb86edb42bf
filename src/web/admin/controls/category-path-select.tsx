import { Cascader } from 'antd'
import type { Category } from '#shared/contract/catalog.ts'
import { contract } from '#shared/contract/contract.ts'
import type { ContentType } from '#shared/enums.ts'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
import { api } from '#web/lib/api.ts'
import { pathTo, toTree, type Tree } from '#web/lib/tree.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface CategoryPathSelectProps {
  id?: string
  className?: string
  'aria-label'?: string
  type: ContentType
  /** The whole path, root first, or its last id alone. */
  value?: number[]
  placeholder?: string
  /** Gives only the last id of the path. */
  single?: boolean
  onChange?: (value: number[]) => void
}

type Node = Tree<Category>

const none: number[] = []

export function CategoryPathSelect({ type, value = none, single, onChange, ...rest }: CategoryPathSelectProps) {
  const { data, error, isLoading } = useQuery(type, () => loadTree(type))
  const path = pathTo(data ?? [], value.at(-1) ?? 0).map((node) => node.id)
  return (
    <Cascader<Node>
      {...rest}
      options={data ?? []}
      fieldNames={{ label: 'title', value: 'id', children: 'children' }}
      value={path.length > 0 ? path : value}
      changeOnSelect
      allowClear
      showSearch={{ filter: (text, nodes) => nodes.some(({ title }) => title.includes(text)) }}
      loading={isLoading}
      notFoundContent={error ? getErrorMessage(error) : '没有分类'}
      onChange={(selected) => {
        const ids = (selected ?? []).map(Number)
        onChange?.(single ? ids.slice(-1) : ids)
      }}
    />
  )
}

async function loadTree(type: ContentType): Promise<Node[]> {
  const { category } = await api(contract.categories.list, { type: [type] })
  return toTree(category)
}
