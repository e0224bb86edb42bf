import { useState, type ComponentProps } from 'react'
import { useSite } from '#web/lib/site.ts'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/input.tsx'

interface LanguageSelectProps extends Omit<ComponentProps<'select'>, 'onChange' | 'value'> {
  value: string
  onChange: (language: string) => void
}

/** A site may offer a hundred languages and a list may have hundreds of rows: the choices come when somebody turns to one. */
export function LanguageSelect({ value, onChange, className, ...rest }: LanguageSelectProps) {
  const [isWanted, setWanted] = useState(false)
  const { language: languages } = useSite().settings
  const shown = isWanted ? languages : languages.filter(({ code }) => code === value)
  return (
    <select
      {...rest}
      value={value}
      onPointerDown={() => setWanted(true)}
      onFocus={() => setWanted(true)}
      onChange={({ target }) => onChange(target.value)}
      // A choice counts as read-only to the browser, and must not look like it.
      className={cx(controlClass, 'bg-surface! text-ink!', className)}
    >
      {(isWanted || value === '') && <option value="">未指定</option>}
      {shown.map(({ code, language }) => (
        <option key={code} value={code}>
          {language}
        </option>
      ))}
    </select>
  )
}
