import { Card, Checkbox, Flex, Pagination, Spin, Typography } from 'antd'
import styles from '#web/admin/engine/engine.module.css'
import { Facts } from '#web/admin/engine/facts.tsx'
import { DragHandle } from '#web/admin/engine/ordering/drag-handle.tsx'
import { renderValue } from '#web/admin/engine/render-value.tsx'
import type { RowsProps } from '#web/admin/engine/resource-table.tsx'
import { RowActions } from '#web/admin/engine/row-actions.tsx'
import { flattenRowTree } from '#web/admin/engine/row-tree.ts'

/** The same rows for narrow screens, where a table would have to be scrolled sideways. */
export function ResourceCards({
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
}: RowsProps) {
  const { rows, total, query } = listing
  const cards = tree ? flattenRowTree(rows) : rows.map((row) => ({ row, depth: 0 }))
  const [titleColumn, ...factColumns] = columns.filter(({ key }) => key !== 'id')
  if (rows.length === 0) return <Spin spinning={loading}>{empty}</Spin>
  const select = (id: number, isSelected: boolean) =>
    selection?.onChange(isSelected ? [...selection.ids, id] : selection.ids.filter((selected) => selected !== id))
  return (
    <Spin spinning={loading} delay={150}>
      <Flex vertical gap={12} className={styles.cards}>
        {cards.map(({ row, depth }) => (
          <Card
            key={row.id}
            data-card
            className={ordering?.getRowClassName(row)}
            classNames={{ title: styles.cardTitle, extra: styles.cardExtra }}
            style={{ marginInlineStart: depth * 16 }}
            size="small"
            title={
              <Flex gap={8} align="center">
                {selection && (
                  <Checkbox
                    aria-label={`选择 ${row.id}`}
                    checked={selection.ids.includes(row.id)}
                    onChange={(event) => select(row.id, event.target.checked)}
                  />
                )}
                {titleColumn && renderValue(titleColumn, row, tools(row))}
              </Flex>
            }
            extra={
              <Flex gap={4} align="center">
                <Typography.Text type="secondary">#{row.id}</Typography.Text>
                {ordering && <DragHandle ordering={ordering} row={row} />}
              </Flex>
            }
          >
            <Facts columns={factColumns} row={row} tools={tools(row)} />
            {actionsOf && (
              <div className={styles.cardActions}>
                <RowActions items={actionsOf(row)} />
              </div>
            )}
          </Card>
        ))}
        {!tree && (
          <Pagination
            simple
            align="center"
            current={query.page}
            pageSize={query.size}
            total={total}
            hideOnSinglePage
            showSizeChanger={false}
            onChange={onPage}
          />
        )}
      </Flex>
    </Spin>
  )
}
