import { formatTime } from '#shared/format.ts'
import { getFieldLabel } from '#shared/labels.ts'
import type { AnyColumn, Row } from '#web/admin/resource.ts'

/** A value as text, for an exported table. */
export async function cellText(column: AnyColumn, row: Row): Promise<string> {
  return column.text ? column.text(row[column.key], row) : toText(column.key, row[column.key])
}

export function headerText({ key, label }: AnyColumn): string {
  return typeof label === 'string' ? label : getFieldLabel(key)
}

function toText(key: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (typeof value === 'number') return isTimeKey(key) ? formatTime(value) : String(value)
  if (Array.isArray(value)) return value.map((item: unknown) => toText('', item)).join('、')
  return typeof value === 'string' ? value : ''
}

function isTimeKey(key: string): boolean {
  return /_(at|time)$/.test(key)
}
