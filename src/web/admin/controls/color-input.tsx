import { ColorPicker } from 'antd'

interface ColorInputProps {
  value?: string
  onChange?: (value: string) => void
}

export function ColorInput({ value, onChange }: ColorInputProps) {
  return (
    <ColorPicker
      value={value || null}
      allowClear
      disabledAlpha
      showText={(color) => (value ? color.toHexString() : '未设置')}
      onChange={(color) => onChange?.(color.cleared ? '' : color.toHexString())}
    />
  )
}
