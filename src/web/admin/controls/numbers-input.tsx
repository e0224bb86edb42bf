import { Select } from 'antd'

interface NumbersInputProps {
  id?: string
  className?: string
  'aria-label'?: string
  value?: number[]
  placeholder?: string
  onChange?: (value: number[]) => void
}

const noNumbers: number[] = []

/** Typed one after the other, or pasted; what is no number is left out. */
export function NumbersInput({ value = noNumbers, onChange, ...rest }: NumbersInputProps) {
  return (
    <Select
      {...rest}
      mode="tags"
      open={false}
      suffixIcon={null}
      tokenSeparators={[',', '，', '、', ' ', '\n']}
      value={value.map(String)}
      onChange={(words: string[]) =>
        onChange?.([...new Set(words.map(Number))].filter((n) => Number.isSafeInteger(n) && n > 0))
      }
    />
  )
}
