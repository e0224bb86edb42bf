import type { ComponentProps, ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { controlClass } from '#web/ui/forms/input.tsx'

interface SelectProps extends Omit<ComponentProps<'select'>, 'onChange' | 'value' | 'id'> {
  label: string
  value: string
  onChange: (value: string) => void
  help?: ReactNode
  error?: string | undefined
}

/** A select with its label; the options are its children. */
export function Select({ label, help, error, onChange, className, ...rest }: SelectProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <select
          {...rest}
          {...control}
          onChange={(event) => onChange(event.target.value)}
          className={cx(controlClass, 'h-11 min-w-0', className)}
        />
      )}
    </Field>
  )
}
