import { Cascader } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Category } from '#shared/contract/site.ts'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { api } from '#web/lib/api.ts'
import { pathTo, toTree, type Tree } from '#web/lib/tree.ts'

interface CategoryPathProps {
  id?: string
  className?: string
  'aria-label'?: string
  /** 0 documents, 1 articles. */
  type: number
  /** The whole path, root first; as a filter the last one alone is enough. */
  value?: number[]
  placeholder?: string
  /** Gives the last one alone. */
  single?: boolean
  onChange?: (value: number[]) => void
}

type Node = Tree<Category>

const none: number[] = []

export function CategoryPath({ type, value = none, single, onChange, ...rest }: CategoryPathProps) {
  const { data, problem } = useAnswer(() => loadTree(type), type)
  const path = pathTo(data ?? [], value.at(-1) ?? 0).map((node) => node.id)
  return (
    <Cascader<Node>
      {...rest}
      options={data ?? []}
      fieldNames={{ label: 'title', value: 'id', children: 'children' }}
      value={path.length > 0 ? path : value}
      changeOnSelect
      allowClear
      showSearch={{ filter: (words, nodes) => nodes.some(({ title }) => title.includes(words)) }}
      loading={!data && !problem}
      notFoundContent={problem ?? '没有分类'}
      onChange={(chosen) => {
        const ids = (chosen ?? []).map(Number)
        onChange?.(single ? ids.slice(-1) : ids)
      }}
    />
  )
}

async function loadTree(type: number): Promise<Node[]> {
  const { category } = await api(contract.categories.list, { type: [type] })
  return toTree(category)
}
