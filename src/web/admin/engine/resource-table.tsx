import { Table, type TableColumnType } from 'antd'
import { type ReactNode, useState } from 'react'
import styles from '#web/admin/engine/engine.module.css'
import type { Listing } from '#web/admin/engine/listing.ts'
import { DragHandle } from '#web/admin/engine/ordering/drag-handle.tsx'
import type { Ordering } from '#web/admin/engine/ordering/use-ordering.ts'
import { pageSizes } from '#web/admin/engine/preferences.ts'
import { renderValue } from '#web/admin/engine/render-value.tsx'
import { toRowTree } from '#web/admin/engine/row-tree.ts'
import type { AnyColumn, Row, RowTools } from '#web/admin/resource.ts'

export interface RowsProps {
  listing: Listing
  /** Rows stand under their parents. */
  tree: boolean
  columns: AnyColumn[]
  loading: boolean
  empty: ReactNode
  tools: (row: Row) => RowTools
  /** Undefined when the user may not change the order of these rows. */
  ordering?: Ordering
  /** The last cell of a row; undefined when there are no actions. */
  renderActions?: (row: Row) => ReactNode
  /** Undefined when there are no bulk actions. */
  selection?: { ids: number[]; onChange: (ids: number[]) => void }
  onPage: (page: number, size: number) => void
  onOrder: (order: string) => void
}

export function ResourceTable({
  listing,
  tree,
  columns,
  loading,
  empty,
  tools,
  ordering,
  renderActions,
  selection,
  onPage,
  onOrder,
}: RowsProps) {
  const { rows, total, query } = listing
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const [orderKey, direction] = query.order.split(' ')
  const tableColumns = columns.map((column): TableColumnType<Row> => ({
    key: column.key,
    title: column.label,
    width: column.width,
    align: column.align,
    sorter: column.sort,
    sortOrder: column.sort && orderKey === column.key ? (direction === 'asc' ? 'ascend' : 'descend') : null,
    render: (_value, row) => renderValue(column, row, tools(row)),
  }))
  if (ordering)
    tableColumns.unshift({
      key: ' order',
      title: <span className={styles.visuallyHidden}>顺序</span>,
      width: 44,
      align: 'center',
      render: (_value, row) => <DragHandle ordering={ordering} row={row} />,
    })
  if (renderActions)
    tableColumns.push({
      key: ' actions',
      title: '操作',
      fixed: 'end',
      width: 1,
      render: (_value, row) => renderActions(row),
    })
  return (
    <Table<Row>
      rowKey="id"
      size="middle"
      styles={{ header: { cell: { whiteSpace: 'nowrap' } } }}
      columns={tableColumns}
      dataSource={tree ? toRowTree(rows) : rows}
      rowClassName={ordering?.getRowClassName}
      expandable={{
        expandIconColumnIndex: ordering && getIconColumn(selection !== undefined),
        // All but the collapsed ones, so that new rows are expanded too.
        expandedRowKeys: tree ? rows.flatMap(({ id }) => (collapsed.has(id) ? [] : [id])) : [],
        onExpand: (open, { id }) => setCollapsed((before) => (open ? without(before, id) : new Set([...before, id]))),
      }}
      loading={{ spinning: loading, delay: 150 }}
      locale={{ emptyText: empty }}
      scroll={{ x: 'max-content' }}
      showSorterTooltip={false}
      rowSelection={
        selection && {
          selectedRowKeys: selection.ids,
          checkStrictly: true,
          onChange: (_keys, selected) => selection.onChange(selected.map(({ id }) => id)),
        }
      }
      onChange={(_pages, _filters, sorter, { action }) => {
        if (action === 'sort' && !Array.isArray(sorter)) onOrder(toOrder(sorter.columnKey, sorter.order))
      }}
      pagination={
        !tree && {
          current: query.page,
          pageSize: query.size,
          total,
          pageSizeOptions: pageSizes,
          showSizeChanger: true,
          hideOnSinglePage: total <= Math.min(...pageSizes),
          showTotal: (count) => `共 ${count} 条`,
          onChange: onPage,
        }
      }
    />
  )
}

/** The name's column, after the drag handle. Ant Design counts the column of checkboxes twice. */
function getIconColumn(isSelectable: boolean): number {
  return isSelectable ? 3 : 1
}

function toOrder(key: unknown, direction: 'ascend' | 'descend' | null | undefined): string {
  if (!direction) return ''
  return `${String(key)} ${direction === 'ascend' ? 'asc' : 'desc'}`
}

function without(ids: ReadonlySet<number>, removed: number): ReadonlySet<number> {
  return new Set([...ids].filter((id) => id !== removed))
}
