import { HolderOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import styles from '#web/admin/engine/ordering/ordering.module.css'
import type { Ordering } from '#web/admin/engine/ordering/use-ordering.ts'
import type { Row } from '#web/admin/resource.ts'

export function DragHandle({ ordering, row }: { ordering: Ordering; row: Row }) {
  const { disabledReason, getHandleProps } = ordering
  const { 'aria-label': label, ...listeners } = getHandleProps(row)
  if (disabledReason)
    return (
      <Tooltip title={disabledReason}>
        <button
          type="button"
          className={styles.handle}
          data-handle={row.id}
          aria-disabled
          aria-label={`${label}（${disabledReason}）`}
        >
          <HolderOutlined />
        </button>
      </Tooltip>
    )
  return (
    <button type="button" className={styles.handle} data-handle={row.id} aria-label={label} {...listeners}>
      <HolderOutlined />
    </button>
  )
}
