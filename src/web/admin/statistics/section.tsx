import { DownloadOutlined } from '@ant-design/icons'
import { Button, Empty, Table, type TableColumnType, Typography } from 'antd'
import type { ReactNode } from 'react'
import { type Bar, BarChart } from '#web/admin/charts/bar-chart.tsx'
import dashboard from '#web/admin/dashboard/dashboard.module.css'
import { DashboardCard } from '#web/admin/dashboard/dashboard-card.tsx'
import { saveCsv } from '#web/admin/engine/export/save-csv.ts'
import styles from '#web/admin/statistics/statistics.module.css'
import type { QueryResult } from '#web/lib/use-query.ts'

/** A column of the table and of its file. */
export interface Column<Row> {
  title: string
  text: (row: Row) => string
  /** Shown instead of the text. */
  cell?: (row: Row) => ReactNode
  /** A number, which the table can be sorted by. */
  value?: (row: Row) => number
  isInFileOnly?: boolean
}

export function numberColumn<Row>(title: string, value: (row: Row) => number): Column<Row> {
  return { title, value, text: (row) => String(value(row)), cell: (row) => formatCount(value(row)) }
}

/** The days that were counted. */
export interface Counted {
  first: string
  last: string
}

interface SectionProps<Data extends Counted, Row> {
  title: string
  query: QueryResult<Data>
  rows: (data: Data) => readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly Column<Row>[]
  /** The sums of the period. */
  totals?: (data: Data) => readonly (readonly [label: string, value: string])[]
  /** How the numbers were counted. */
  note: ReactNode
  /** Shown without any rows. */
  empty: string
  /** The charts. */
  children: (data: Data) => ReactNode
}

/** A part of the statistics: sums, charts, and a table that can be saved as a file. */
export function Section<Data extends Counted, Row extends object>(props: SectionProps<Data, Row>) {
  const { title, query, rows, rowKey, columns, totals, note, empty, children } = props
  const { data } = query
  const save = ({ first, last }: Counted, list: readonly Row[]) =>
    saveCsv(`${[title, ...[first, last].map((day) => day.replaceAll('-', ''))].join('-')}.csv`, [
      columns.map((column) => column.title),
      ...list.map((row) => columns.map(({ text }) => text(row))),
    ])
  const exportButton = (
    <Button
      size="small"
      icon={<DownloadOutlined />}
      aria-label={`${title}：导出 CSV`}
      disabled={data === undefined || query.isLoading || rows(data).length === 0}
      onClick={() => data && save(data, rows(data))}
    >
      导出 CSV
    </Button>
  )
  return (
    <DashboardCard title={title} query={query} rows={8} extra={exportButton}>
      {(data) => {
        const list = rows(data)
        if (list.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} />
        return (
          <div className={styles.section} aria-busy={query.isLoading}>
            {totals && (
              <dl className={dashboard.numbers}>
                {totals(data).map(([label, value]) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd className={dashboard.number}>{value}</dd>
                  </div>
                ))}
              </dl>
            )}
            <div className={styles.body}>
              <div className={styles.charts}>{children(data)}</div>
              <div className={styles.table}>
                <Table<Row>
                  size="small"
                  rowKey={rowKey}
                  loading={query.isLoading}
                  dataSource={[...list]}
                  caption={title}
                  scroll={{ x: true }}
                  pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false, size: 'small' }}
                  columns={columns.filter(({ isInFileOnly }) => !isInFileOnly).map((column) => tableColumn(column))}
                />
              </div>
            </div>
            <Typography.Paragraph type="secondary" className={styles.note}>
              {note}
            </Typography.Paragraph>
          </div>
        )
      }}
    </DashboardCard>
  )
}

function tableColumn<Row>({ title, text, cell = text, value }: Column<Row>): TableColumnType<Row> {
  const column = { key: title, title, render: (_: unknown, row: Row) => cell(row) }
  if (!value) return column
  const sorter = (a: Row, b: Row) => value(a) - value(b)
  return { ...column, align: 'end', className: styles.figure, sorter, sortDirections: ['descend', 'ascend'] }
}

interface RankingChartProps<Row> {
  title: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  label: (row: Row) => string
  value: (row: Row) => number
  text?: (value: number) => string
}

const ranked = 10

/** The greatest of the rows, by one of their numbers; nothing where all are 0. */
export function RankingChart<Row>({ title, rows, rowKey, label, value, text = formatCount }: RankingChartProps<Row>) {
  const bars = rows
    .filter((row) => value(row) > 0)
    .toSorted((a, b) => value(b) - value(a))
    .slice(0, ranked)
    .map((row): Bar => ({ key: rowKey(row), label: label(row), value: value(row), text: text(value(row)) }))
  if (bars.length === 0) return null
  return (
    <section>
      <div className={styles.chartHead}>
        <h3>{title}</h3>
      </div>
      <BarChart bars={bars} />
    </section>
  )
}

export function formatCount(value: number): string {
  return value.toLocaleString('zh-CN')
}
