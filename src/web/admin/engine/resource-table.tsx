import { Table, type TableColumnType } from 'antd'
import { type ReactNode, useState } from 'react'
import styles from '#web/admin/engine/engine.module.css'
import type { Listing } from '#web/admin/engine/listing/listing.ts'
import { Facts } from '#web/admin/engine/facts.tsx'
import { columnWidth, expanderWidth, fitColumns } from '#web/admin/engine/fit-columns.ts'
import { DragHandle } from '#web/admin/engine/ordering/drag-handle.tsx'
import type { Ordering } from '#web/admin/engine/ordering/use-ordering.ts'
import { pageSizes } from '#web/admin/engine/preferences.ts'
import { renderValue } from '#web/admin/engine/render-value.tsx'
import { actionsWidth, type RowActionItem, RowActions } from '#web/admin/engine/row-actions.tsx'
import { toRowTree } from '#web/admin/engine/row-tree.ts'
import { useWidth } from '#web/admin/engine/use-width.ts'
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
  actionsOf?: (row: Row) => readonly RowActionItem[]
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
  actionsOf,
  selection,
  onPage,
  onOrder,
}: RowsProps) {
  const { rows, total, query } = listing
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const [orderKey, direction] = query.order.split(' ')
  const { ref, width } = useWidth<HTMLDivElement>()
  const widthOfActions = actionsOf ? actionsWidth(rows.map(actionsOf)) : 0
  const taken = (selection ? selectionWidth : 0) + (ordering ? handleWidth : 0) + widthOfActions
  const { shown, folded } = fitColumns(columns, width - taken)
  const tableColumns = shown.map((column): TableColumnType<Row> => ({
    key: column.key,
    title: column.label,
    width: columnWidth(column),
    align: column.align,
    sorter: column.sort,
    sortOrder: column.sort && orderKey === column.key ? (direction === 'asc' ? 'ascend' : 'descend') : null,
    render: (_value, row) => renderValue(column, row, tools(row)),
  }))
  if (ordering)
    tableColumns.unshift({
      key: ' order',
      title: <span className={styles.visuallyHidden}>顺序</span>,
      width: handleWidth,
      align: 'center',
      render: (_value, row) => <DragHandle ordering={ordering} row={row} />,
    })
  if (actionsOf)
    tableColumns.push({
      key: ' actions',
      title: '操作',
      align: 'right',
      width: widthOfActions,
      render: (_value, row) => <RowActions items={actionsOf(row)} />,
    })
  const treeRows = {
    expandIconColumnIndex: ordering && getIconColumn(selection !== undefined),
    // All but the collapsed ones, so that new rows are expanded too.
    expandedRowKeys: rows.flatMap(({ id }) => (collapsed.has(id) ? [] : [id])),
    onExpand: (open: boolean, { id }: Row) =>
      setCollapsed((before) => (open ? without(before, id) : new Set([...before, id]))),
  }
  const renderFolded = (row: Row) => <Facts columns={folded} row={row} tools={tools(row)} />
  const foldedCells = { columnWidth: expanderWidth, expandedRowRender: renderFolded }
  return (
    <div ref={ref}>
      {width > 0 && (
        <Table<Row>
          rowKey="id"
          size="middle"
          // Nothing scrolls sideways: the columns that are shown fit.
          tableLayout="fixed"
          className={styles.table}
          styles={{ header: { cell: { whiteSpace: 'nowrap' } } }}
          columns={tableColumns}
          dataSource={tree ? toRowTree(rows) : rows}
          rowClassName={ordering?.getRowClassName}
          expandable={tree ? treeRows : folded.length > 0 ? foldedCells : undefined}
          loading={{ spinning: loading, delay: 150 }}
          locale={{ emptyText: empty }}
          showSorterTooltip={false}
          rowSelection={
            selection && {
              selectedRowKeys: selection.ids,
              columnWidth: selectionWidth,
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
              showTotal: (count) => `共 ${count.toLocaleString('zh-CN')} 条`,
              onChange: onPage,
            }
          }
        />
      )}
    </div>
  )
}

const selectionWidth = 44
const handleWidth = 44

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
