import { DatePicker, Grid } from 'antd'
import dayjs from 'dayjs'
import styles from '#web/admin/controls/picker-popup.module.css'

interface DateRangePickerProps {
  id?: string
  'aria-label'?: string
  /** Shown in place of 开始日期. */
  name?: string
  /** The first and the last day: 2026-11-01. */
  value?: string[]
  onChange?: (value: string[]) => void
}

const format = 'YYYY-MM-DD'

export function DateRangePicker({ value, onChange, name, ...rest }: DateRangePickerProps) {
  const isWide = Grid.useBreakpoint().md ?? true
  const [first, last] = value ?? []
  return (
    <DatePicker.RangePicker
      {...rest}
      classNames={{ popup: { root: styles.popup, container: styles.container } }}
      // A phone's keyboard would cover the calendar.
      inputReadOnly={!isWide}
      placeholder={[name ?? '开始日期', '结束日期']}
      value={first && last ? [dayjs(first), dayjs(last)] : null}
      onChange={(days) => onChange?.((days ?? []).flatMap((day) => day?.format(format) ?? []))}
      presets={[...presets, ...months]}
    />
  )
}

export const presets = [
  { label: '今天', value: () => toRange(0) },
  { label: '最近一周', value: () => toRange(6) },
  { label: '最近一个月', value: () => toRange(30) },
  { label: '最近三个月', value: () => toRange(90) },
  { label: '最近半年', value: () => toRange(183) },
  { label: '最近一年', value: () => toRange(365) },
]

/** For accounts. */
export const months = [
  { label: '本月', value: () => toMonth(0) },
  { label: '上个月', value: () => toMonth(1) },
]

function toMonth(monthsBefore: number): [dayjs.Dayjs, dayjs.Dayjs] {
  const day = dayjs().subtract(monthsBefore, 'month')
  return [day.startOf('month'), day.endOf('month')]
}

function toRange(daysBefore: number): [dayjs.Dayjs, dayjs.Dayjs] {
  return [dayjs().subtract(daysBefore, 'day'), dayjs()]
}
