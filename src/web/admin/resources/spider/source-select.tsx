import { Select } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import type { Field } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface SourceSelectProps {
  id?: string
  className?: string
  'aria-label'?: string
  value?: number[]
  onChange?: (value: number[]) => void
}

/** What was pasted belongs to no source. */
const pasted = { value: 0, label: '手工添加的网址' }
const failed = { value: -1, label: '采集源加载失败', disabled: true }

function SourceSelect({ value, onChange, ...rest }: SourceSelectProps) {
  const { list } = contract.spiderSources
  const enabled = usePermissions().canCall(list)
  const { data, error, isLoading } = useQuery('sources', () => api(list, { size: 1000 }), { enabled })
  const sources = error ? [failed] : (data?.source.map(({ id, name }) => ({ value: id, label: name })) ?? [])
  return (
    <Select
      {...rest}
      mode="multiple"
      maxTagCount="responsive"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={error ? failed.label : '采集源'}
      status={error ? 'warning' : ''}
      options={[pasted, ...sources]}
      value={value}
      loading={isLoading}
      notFoundContent={error ? failed.label : '没有采集源'}
      onChange={onChange}
    />
  )
}

/** Filters by the source. */
export function sourceFilter<K extends string>(key: K): Field<K, number[]> {
  const control = <SourceSelect />
  return { key, label: '采集源', empty: [], control, filter: control }
}
