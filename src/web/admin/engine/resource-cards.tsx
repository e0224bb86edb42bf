import { Card, Checkbox, Flex, Pagination, Spin } from 'antd'
import { indented } from '#web/admin/engine/nested.ts'
import { OrderHandle } from '#web/admin/engine/order-handle.tsx'
import type { RowsProps } from '#web/admin/engine/resource-table.tsx'
import { shown } from '#web/admin/engine/values.tsx'

/** The same rows for a narrow screen: a table would have to be scrolled sideways. */
export function ResourceCards({
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
}: RowsProps) {
  const { rows, total, query } = listing
  const cards = tree ? indented(rows) : rows.map((row) => ({ row, depth: 0 }))
  const [head, ...others] = columns.filter(({ key }) => key !== 'id')
  if (rows.length === 0) return <Spin spinning={loading}>{empty}</Spin>
  const choose = (id: number, on: boolean) =>
    selection?.onChoose(on ? [...selection.chosen, id] : selection.chosen.filter((other) => other !== id))
  return (
    <Spin spinning={loading} delay={150}>
      <Flex vertical gap={12} className="wa-cards">
        {cards.map(({ row, depth }) => (
          <Card
            key={row.id}
            className={ordering?.look(row)}
            style={{ marginInlineStart: depth * 16 }}
            size="small"
            title={
              <Flex gap={8} align="center">
                {selection && (
                  <Checkbox
                    aria-label={`选择 ${row.id}`}
                    checked={selection.chosen.includes(row.id)}
                    onChange={(event) => choose(row.id, event.target.checked)}
                  />
                )}
                {head && shown(head, row, tools(row))}
              </Flex>
            }
            extra={
              <Flex gap={4} align="center">
                <span className="wa-figure wa-quiet">#{row.id}</span>
                {ordering && <OrderHandle ordering={ordering} row={row} />}
              </Flex>
            }
          >
            <dl className="wa-facts">
              {others.map((column) => (
                <div key={column.key}>
                  <dt>{column.label}</dt>
                  <dd>{shown(column, row, tools(row))}</dd>
                </div>
              ))}
            </dl>
            {renderActions && <div className="wa-card-actions">{renderActions(row)}</div>}
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
