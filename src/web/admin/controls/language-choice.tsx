import { Select } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { api } from '#web/lib/api.ts'

interface LanguageChoiceProps {
  id?: string
  className?: string
  'aria-label'?: string
  value?: string | string[]
  placeholder?: string
  multiple?: boolean
  onChange?: (value: string | string[]) => void
}

export function LanguageChoice({ value, multiple, onChange, ...rest }: LanguageChoiceProps) {
  const { data, problem } = useAnswer(() => api(contract.languages.list, { enable: [true], size: 1000 }))
  return (
    <Select
      {...rest}
      mode={multiple ? 'multiple' : undefined}
      maxTagCount="responsive"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      options={data?.language.map(({ code, language }) => ({ value: code, label: language }))}
      value={value || undefined}
      loading={!data && !problem}
      notFoundContent={problem ?? '没有语言'}
      onChange={(chosen: string | string[] | undefined) => onChange?.(chosen ?? (multiple ? [] : ''))}
    />
  )
}
