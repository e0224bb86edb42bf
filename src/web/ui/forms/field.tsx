import { useId, type ReactNode } from 'react'

interface Control {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

interface FieldProps {
  label: string
  help?: ReactNode
  error?: string | undefined
  /** At the right end of the label's line. */
  aside?: ReactNode
  children: (control: Control) => ReactNode
}

/** A label, a control, and its error or help text. */
export function Field({ label, help, error, aside, children }: FieldProps) {
  const id = useId()
  const note = error || help
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-4 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': error ? true : undefined })}
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={error ? 'text-danger text-sm not-empty:mt-1.5' : 'text-muted text-sm not-empty:mt-1.5'}
      >
        {note}
      </p>
    </div>
  )
}
