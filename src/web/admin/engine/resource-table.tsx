import { Table, type TableColumnType } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Listing } from '#web/admin/engine/listing.ts'
import { nested } from '#web/admin/engine/nested.ts'
import { OrderHandle } from '#web/admin/engine/order-handle.tsx'
import { pageSizes } from '#web/admin/engine/preferences.ts'
import type { Ordering } from '#web/admin/engine/use-ordering.ts'
import { shown } from '#web/admin/engine/values.tsx'
import type { AnyColumn, Row, RowTools } from '#web/admin/resource.ts'

export interface RowsProps {
  listing: Listing
  /** Rows stand under their parents. */
  tree: boolean
  columns: AnyColumn[]
  loading: boolean
  empty: ReactNode
  tools: (row: Row) => RowTools
  /** Undefined when nobody may change the order of these rows. */
  ordering?: Ordering
  /** The last cell of a row; undefined when nothing can be done. */
  renderActions?: (row: Row) => ReactNode
  /** Chosen rows; undefined when there is nothing to choose them for. */
  selection?: { chosen: number[]; onChoose: (ids: number[]) => void }
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
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const [orderKey, direction] = query.order.split(' ')
  const described = columns.map((column): TableColumnType<Row> => ({
    key: column.key,
    title: column.label,
    width: column.width,
    align: column.align,
    sorter: column.sort,
    sortOrder: column.sort && orderKey === column.key ? (direction === 'asc' ? 'ascend' : 'descend') : null,
    render: (_value, row) => shown(column, row, tools(row)),
  }))
  if (ordering)
    described.unshift({
      key: ' order',
      title: <span className="wa-unseen">顺序</span>,
      width: 44,
      align: 'center',
      render: (_value, row) => <OrderHandle ordering={ordering} row={row} />,
    })
  if (renderActions)
    described.push({
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
      columns={described}
      dataSource={tree ? nested(rows) : rows}
      rowClassName={ordering?.look}
      expandable={{
        expandIconColumnIndex: ordering && iconColumn(selection !== undefined),
        // What comes new stands open, too.
        expandedRowKeys: tree ? rows.flatMap(({ id }) => (closed.has(id) ? [] : [id])) : [],
        onExpand: (open, { id }) => setClosed((before) => (open ? without(before, id) : new Set([...before, id]))),
      }}
      loading={{ spinning: loading, delay: 150 }}
      locale={{ emptyText: empty }}
      scroll={{ x: 'max-content' }}
      showSorterTooltip={false}
      rowSelection={
        selection && {
          selectedRowKeys: selection.chosen,
          checkStrictly: true,
          onChange: (_keys, chosen) => selection.onChoose(chosen.map(({ id }) => id)),
        }
      }
      onChange={(_pages, _filters, sorter, { action }) => {
        if (action === 'sort' && !Array.isArray(sorter)) onOrder(orderOf(sorter.columnKey, sorter.order))
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

/** Beside what a row is called, after its handle. Ant Design takes one away where rows can be chosen. */
function iconColumn(choosing: boolean): number {
  return choosing ? 3 : 1
}

function orderOf(key: unknown, direction: 'ascend' | 'descend' | null | undefined): string {
  if (!direction) return ''
  return `${String(key)} ${direction === 'ascend' ? 'asc' : 'desc'}`
}

function without(ids: ReadonlySet<number>, left: number): ReadonlySet<number> {
  return new Set([...ids].filter((id) => id !== left))
}
