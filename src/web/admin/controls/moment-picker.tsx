import { DatePicker, Grid } from 'antd'
import dayjs from 'dayjs'

interface MomentPickerProps {
  id?: string
  value?: number | null
  placeholder?: string
  /** Something begins then, rather than ends. */
  begins?: boolean
  onChange?: (value: number | null) => void
}

/** Expiry shortcuts of the specification. */
const shortcuts: [string, number, dayjs.ManipulateType][] = [
  ['1 小时', 1, 'hour'],
  ['12 小时', 12, 'hour'],
  ['1 天', 1, 'day'],
  ['2 天', 2, 'day'],
  ['1 周', 1, 'week'],
  ['1 个月', 1, 'month'],
  ['半年', 6, 'month'],
  ['1 年', 1, 'year'],
]

export function MomentPicker({ id, value, placeholder, begins, onChange }: MomentPickerProps) {
  const wide = Grid.useBreakpoint().md ?? true
  return (
    <DatePicker
      id={id}
      className="wa-fill"
      // A phone's keyboard would cover what one chooses from.
      inputReadOnly={!wide}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      placeholder={placeholder}
      value={value ? dayjs(value) : null}
      onChange={(moment) => onChange?.(moment?.valueOf() ?? null)}
      // Enter takes over what was typed; the form around it is not sent by that.
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
      presets={begins ? beginnings : endings}
    />
  )
}

const endings = shortcuts.map(([label, amount, unit]) => ({ label, value: () => dayjs().add(amount, unit) }))
const beginnings = [
  { label: '现在', value: () => dayjs() },
  { label: '明天零点', value: () => dayjs().add(1, 'day').startOf('day') },
  { label: '下周一零点', value: () => dayjs().add(1, 'week').startOf('week') },
]
