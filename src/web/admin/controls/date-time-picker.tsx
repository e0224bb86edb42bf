import { DatePicker, Grid } from 'antd'
import dayjs from 'dayjs'
import styles from '#web/admin/controls/picker-popup.module.css'

interface DateTimePickerProps {
  id?: string
  value?: number | null
  placeholder?: string
  /** For a start instead of an end: other shortcuts. */
  isStart?: boolean
  onChange?: (value: number | null) => void
}

const durations: [string, number, dayjs.ManipulateType][] = [
  ['1 小时', 1, 'hour'],
  ['12 小时', 12, 'hour'],
  ['1 天', 1, 'day'],
  ['2 天', 2, 'day'],
  ['1 周', 1, 'week'],
  ['1 个月', 1, 'month'],
  ['半年', 6, 'month'],
  ['1 年', 1, 'year'],
]

export function DateTimePicker({ id, value, placeholder, isStart, onChange }: DateTimePickerProps) {
  const isWide = Grid.useBreakpoint().md ?? true
  return (
    <DatePicker
      id={id}
      style={{ width: '100%' }}
      classNames={{ popup: { root: styles.popup, container: styles.container } }}
      // A phone's keyboard would cover the calendar.
      inputReadOnly={!isWide}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      placeholder={placeholder}
      value={value ? dayjs(value) : null}
      onChange={(moment) => onChange?.(moment?.valueOf() ?? null)}
      // Enter takes the typed time; it does not submit the form.
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
      presets={isStart ? startPresets : endPresets}
    />
  )
}

const endPresets = durations.map(([label, amount, unit]) => ({ label, value: () => dayjs().add(amount, unit) }))
const startPresets = [
  { label: '现在', value: () => dayjs() },
  { label: '明天零点', value: () => dayjs().add(1, 'day').startOf('day') },
  { label: '下周一零点', value: () => dayjs().add(1, 'week').startOf('week') },
]
