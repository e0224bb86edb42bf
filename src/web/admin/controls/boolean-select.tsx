import { Select } from 'antd'

interface BooleanSelectProps {
  id?: string
  className?: string
  label: string
  value?: boolean | boolean[]
  onChange?: (value: boolean | undefined) => void
}

/** A filter for 是 or 否; without a value it is off. */
export function BooleanSelect({ id, className, label, value, onChange }: BooleanSelectProps) {
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
