import { Input } from 'antd'

interface YuanInputProps {
  id?: string
  value?: string
  onChange?: (text: string) => void
}

/** An amount in yuan as it is typed, for `parseYuan`: a number field would round a third decimal without a word. */
export function YuanInput({ onChange, ...props }: YuanInputProps) {
  return (
    <Input
      {...props}
      inputMode="decimal"
      autoComplete="off"
      suffix="元"
      onChange={({ target }) => onChange?.(target.value)}
    />
  )
}
