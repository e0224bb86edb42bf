import type { ComponentProps } from 'react'
import { parsePrice } from '#web/features/documents/upload/row.ts'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/forms/input.tsx'

interface PriceInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  value: string
  onChange: (price: string) => void
}

/** Invalid input becomes a valid price on blur. */
export function PriceInput({ value, onChange, className, ...rest }: PriceInputProps) {
  return (
    <input
      {...rest}
      type="number"
      inputMode="numeric"
      min={0}
      max={1_000_000}
      step={1}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onBlur={() => onChange(String(parsePrice(value)))}
      className={cx(controlClass, 'tabular-nums', className)}
    />
  )
}
