import { ColorPicker } from 'antd'

interface ColorChoiceProps {
  value?: string
  onChange?: (value: string) => void
}

export function ColorChoice({ value, onChange }: ColorChoiceProps) {
  return (
    <ColorPicker
      value={value || null}
      allowClear
      disabledAlpha
      showText={(chosen) => (value ? chosen.toHexString() : '未设置')}
      onChange={(chosen) => onChange?.(chosen.cleared ? '' : chosen.toHexString())}
    />
  )
}
