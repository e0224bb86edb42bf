import { Button, Input, Space } from 'antd'
import { maskedSecret } from '#shared/setting-fields.ts'

interface SecretInputProps {
  id?: string
  value?: string
  onChange?: (value: string) => void
  onBlur?: () => void
}

/** Secrets can be replaced or removed; the server never sends them. */
export function SecretInput({ id, value = '', onChange, onBlur }: SecretInputProps) {
  if (value === maskedSecret) {
    return (
      <Space.Compact block>
        <Input id={id} value={maskedSecret} readOnly aria-label="已设置，不显示" />
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
