import { Select } from 'antd'
import { use } from 'react'
import { contract } from '#shared/contract/contract.ts'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { EditedRow } from '#web/admin/engine/edited-row.ts'
import { api } from '#web/lib/api.ts'

interface NavigationParentProps {
  id?: string
  value?: number
  onChange?: (value: number) => void
}

/** The entry under which another one unfolds; none is the bar itself. */
export function NavigationParent({ id, value = 0, onChange }: NavigationParentProps) {
  const { data, problem } = useAnswer(() => api(contract.navigations.list, { size: 1000 }))
  const edited = use(EditedRow)
  const top = data?.navigation.filter((entry) => entry.parent_id === 0 && entry.id !== edited)
  const hasChildren = edited !== undefined && data?.navigation.some(({ parent_id }) => parent_id === edited)
  return (
    <Select
      id={id}
      options={top?.map((entry) => ({ value: entry.id, label: entry.title }))}
      value={value || undefined}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      disabled={hasChildren}
      placeholder={hasChildren ? '有下级导航，只能作为一级导航' : '无，作为一级导航'}
      loading={!data && !problem}
      notFoundContent={problem ?? '没有导航'}
      onChange={(chosen: number | undefined) => onChange?.(chosen ?? 0)}
    />
  )
}
