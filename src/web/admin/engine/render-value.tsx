import type { ReactNode } from 'react'
import { dash, Timestamp } from '#web/admin/cells.tsx'
import type { AnyColumn, Row, RowTools } from '#web/admin/resource.ts'

/** A value as its column renders it; by default as text, 是/否 or a time. */
export function renderValue(column: AnyColumn, row: Row, tools: RowTools): ReactNode {
  const value = row[column.key]
  if (column.render) return column.render(value, row, tools)
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (column.key.endsWith('_at')) return <Timestamp at={typeof value === 'number' ? value : null} />
  return typeof value === 'string' || typeof value === 'number' ? value || (value === 0 ? 0 : dash) : dash
}
