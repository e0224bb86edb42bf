import { Select } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface LanguageSelectProps {
  id?: string
  className?: string
  'aria-label'?: string
  value?: string | string[]
  placeholder?: string
  multiple?: boolean
  onChange?: (value: string | string[]) => void
}

export function LanguageSelect({ value, multiple, onChange, ...rest }: LanguageSelectProps) {
  const { data, error, isLoading } = useQuery('languages', () =>
    api(contract.languages.list, { enable: [true], size: 1000 }),
  )
  return (
    <Select
      {...rest}
      mode={multiple ? 'multiple' : undefined}
      maxTagCount="responsive"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      options={data?.language.map(({ code, language }) => ({ value: code, label: language }))}
      value={value || undefined}
      loading={isLoading}
      notFoundContent={error ? getErrorMessage(error) : '没有语言'}
      onChange={(selected: string | string[] | undefined) => onChange?.(selected ?? (multiple ? [] : ''))}
    />
  )
}
