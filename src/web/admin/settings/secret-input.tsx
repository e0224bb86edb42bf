import { Button, Input, Space } from 'antd'
import { keptSecret } from '#shared/setting-fields.ts'

interface SecretInputProps {
  id?: string
  value?: string
  onChange?: (value: string) => void
  onBlur?: () => void
}

/** A secret can be replaced or removed, never read. */
export function SecretInput({ id, value = '', onChange, onBlur }: SecretInputProps) {
  if (value === keptSecret) {
    return (
      <Space.Compact block>
        <Input id={id} value={keptSecret} readOnly aria-label="已设置，不显示" />
        <Button onClick={() => onChange?.('')}>修改</Button>
      </Space.Compact>
    )
  }
  return (
    <Input.Password
      id={id}
      value={value}
      autoComplete="new-password"
      placeholder="未设置"
      onChange={(event) => onChange?.(event.target.value)}
      onBlur={onBlur}
    />
  )
}
