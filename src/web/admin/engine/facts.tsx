import styles from '#web/admin/engine/engine.module.css'
import { renderValue } from '#web/admin/engine/render-value.tsx'
import type { AnyColumn, Row, RowTools } from '#web/admin/resource.ts'

/** Values of a row, each under its label. */
export function Facts({ columns, row, tools }: { columns: readonly AnyColumn[]; row: Row; tools: RowTools }) {
  return (
    <dl className={styles.facts}>
      {columns.map((column) => (
        <div key={column.key}>
          <dt>{column.label}</dt>
          <dd>{renderValue(column, row, tools)}</dd>
        </div>
      ))}
    </dl>
  )
}
