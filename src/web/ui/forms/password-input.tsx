import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { controlClass, type TextFieldProps } from '#web/ui/forms/input.tsx'

export function PasswordField({
  label,
  help,
  error,
  aside,
  onChange,
  className,
  ...rest
}: Omit<TextFieldProps, 'type' | 'beside'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field label={label} help={help} error={error} aside={aside}>
      {(control) => (
        <div className="relative">
          <input
            {...rest}
            {...control}
            type={shown ? 'text' : 'password'}
            spellCheck={false}
            // Browsers do not capitalize passwords, but they would capitalize text.
            autoCapitalize={shown ? 'off' : undefined}
            onChange={(event) => onChange(event.target.value)}
            className={cx(controlClass, 'h-11 pr-12', className)}
          />
          <button
            type="button"
            aria-label={shown ? '隐藏密码' : '显示密码'}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 flex w-11 items-center justify-center text-muted hover:text-ink"
          >
            <Icon size={18} aria-hidden />
          </button>
        </div>
      )}
    </Field>
  )
}
