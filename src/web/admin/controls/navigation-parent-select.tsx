import { Select } from 'antd'
import { use } from 'react'
import { contract } from '#shared/contract/contract.ts'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
import { EditedRowId } from '#web/admin/engine/forms/edited-row.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface NavigationParentSelectProps {
  id?: string
  value?: number
  onChange?: (value: number) => void
}

/** The entry under which another one unfolds; 0 is none. */
export function NavigationParentSelect({ id, value = 0, onChange }: NavigationParentSelectProps) {
  const { data, error, isLoading } = useQuery('navigation', () => api(contract.navigations.list, { size: 1000 }))
  const editedId = use(EditedRowId)
  const roots = data?.navigation.filter((entry) => entry.parent_id === 0 && entry.id !== editedId)
  const hasChildren = editedId !== undefined && data?.navigation.some(({ parent_id }) => parent_id === editedId)
  return (
    <Select
      id={id}
      options={roots?.map((entry) => ({ value: entry.id, label: entry.title }))}
      value={value || undefined}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      disabled={hasChildren}
      placeholder={hasChildren ? '有下级导航，只能作为一级导航' : '无，作为一级导航'}
      loading={isLoading}
      notFoundContent={error ? getErrorMessage(error) : '没有导航'}
      onChange={(selected: number | undefined) => onChange?.(selected ?? 0)}
    />
  )
}
