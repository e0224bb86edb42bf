import { Select } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
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

function SourceSelect({ value, onChange, ...rest }: SourceSelectProps) {
  const { data, error, isLoading } = useQuery('sources', () => api(contract.spiderSources.list, { size: 1000 }))
  const sources = data?.source.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <Select
      {...rest}
      mode="multiple"
      maxTagCount="responsive"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="采集源"
      options={[pasted, ...sources]}
      value={value}
      loading={isLoading}
      notFoundContent={error ? getErrorMessage(error) : '没有采集源'}
      onChange={onChange}
    />
  )
}

/** Filters by the source. */
export function sourceFilter<K extends string>(key: K): Field<K, number[]> {
  const control = <SourceSelect />
  return { key, label: '采集源', empty: [], control, filter: control }
}
