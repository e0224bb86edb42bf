import { HolderOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import type { Ordering } from '#web/admin/engine/use-ordering.ts'
import type { Row } from '#web/admin/resource.ts'

/** What a row is taken by, to put it elsewhere. */
export function OrderHandle({ ordering, row }: { ordering: Ordering; row: Row }) {
  const { blocked, handle } = ordering
  const { 'aria-label': label, ...hands } = handle(row)
  if (blocked)
    return (
      <Tooltip title={blocked}>
        <button
          type="button"
          className="wa-handle"
          data-handle={row.id}
          aria-disabled
          aria-label={`${label}（${blocked}）`}
        >
          <HolderOutlined />
        </button>
      </Tooltip>
    )
  return (
    <button type="button" className="wa-handle" data-handle={row.id} aria-label={label} {...hands}>
      <HolderOutlined />
    </button>
  )
}
