import type { ComponentProps, ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/forms/field.tsx'

export const controlClass = cx(
  'w-full rounded-md border border-edge bg-surface px-3 text-base text-ink transition-colors placeholder:text-muted',
  'hover:border-ink focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent',
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted',
  // By the attribute: `:read-only` matches selects and dates too.
  '[&[readonly]]:bg-sunken [&[readonly]]:text-muted',
)

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id'> {
  label: string
  value: string
  onChange: (value: string) => void
  help?: ReactNode
  error?: string | undefined
  aside?: ReactNode
  /** At the right of the input, such as a button. */
  beside?: ReactNode
}

export function TextField({ label, help, error, aside, beside, onChange, className, ...rest }: TextFieldProps) {
  return (
    <Field label={label} help={help} error={error} aside={aside}>
      {(control) => (
        <div className="flex gap-2">
          <input
            {...rest}
            {...control}
            onChange={(event) => onChange(event.target.value)}
            className={cx(controlClass, 'h-11 min-w-0', className)}
          />
          {beside}
        </div>
      )}
    </Field>
  )
}
