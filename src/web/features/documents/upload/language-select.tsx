import { useState, type ComponentProps } from 'react'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/forms/input.tsx'

interface LanguageSelectProps extends Omit<ComponentProps<'select'>, 'onChange' | 'value'> {
  value: string
  onChange: (language: string) => void
}

/** A site may have a hundred languages and a list hundreds of rows: the options are rendered when a select is focused. */
export function LanguageSelect({ value, onChange, className, ...rest }: LanguageSelectProps) {
  const [isActive, setIsActive] = useState(false)
  const { language: languages } = useSite().settings
  const shown = isActive ? languages : languages.filter(({ code }) => code === value)
  return (
    <select
      {...rest}
      value={value}
      onPointerDown={() => setIsActive(true)}
      onFocus={() => setIsActive(true)}
      onChange={({ target }) => onChange(target.value)}
      className={cx(controlClass, className)}
    >
      {(isActive || value === '') && <option value="">未指定</option>}
      {shown.map(({ code, language }) => (
        <option key={code} value={code}>
          {language}
        </option>
      ))}
    </select>
  )
}
