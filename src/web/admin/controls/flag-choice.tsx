import { Select } from 'antd'

interface FlagChoiceProps {
  id?: string
  className?: string
  label: string
  value?: boolean | boolean[]
  onChange?: (value: boolean | undefined) => void
}

/** 是 or 否 as a filter; nothing chosen means both. */
export function FlagChoice({ id, className, label, value, onChange }: FlagChoiceProps) {
  return (
    <Select
      id={id}
      className={className}
      allowClear
      placeholder={label}
      aria-label={label}
      value={Array.isArray(value) ? value[0] : value}
      onChange={onChange}
      options={[
        { value: true, label: `${label}：是` },
        { value: false, label: `${label}：否` },
      ]}
    />
  )
}
