import { Input } from 'antd'
import { useState } from 'react'

interface LinesInputProps {
  id?: string
  value?: string[]
  placeholder?: string
  onChange?: (value: string[]) => void
}

const noLines: string[] = []

/** One value a line; blank lines and spaces around a value do not count. */
export function LinesInput({ value = noLines, onChange, ...rest }: LinesInputProps) {
  // What is typed is kept as it is: a blank line is where the next value begins.
  const [text, setText] = useState(() => value.join('\n'))
  const isTyped = toLines(text).join('\n') === value.join('\n')
  return (
    <Input.TextArea
      {...rest}
      autoSize={{ minRows: 2, maxRows: 10 }}
      spellCheck={false}
      value={isTyped ? text : value.join('\n')}
      onChange={({ target }) => {
        setText(target.value)
        onChange?.(toLines(target.value))
      }}
    />
  )
}

function toLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
