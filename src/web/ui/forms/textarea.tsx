import type { ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { controlClass } from '#web/ui/forms/input.tsx'

interface TextAreaProps {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  help?: ReactNode
  error?: string | undefined
  rows?: number
  maxLength?: number
}

export function TextArea({ label, help, error, onChange, rows = 3, ...rest }: TextAreaProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <textarea
          {...rest}
          {...control}
          rows={rows}
          onChange={(event) => onChange(event.target.value)}
          className={cx(controlClass, 'py-2')}
        />
      )}
    </Field>
  )
}
