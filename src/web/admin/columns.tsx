import { Tag } from 'antd'
import type { ReactElement, ReactNode } from 'react'
import { formatTime } from '#shared/format.ts'
import cells from '#web/admin/cells.module.css'
import { ClampedText, dash, ExternalLink, SavingSwitch, Timestamp, UserLink } from '#web/admin/cells.tsx'
import type { Column } from '#web/admin/resource.ts'

/** Column builders: each fits only keys whose values it can render. */

interface ColumnOptions<L = string> {
  label?: L
  width?: number
  sort?: boolean
  hiddenByDefault?: boolean
}

export function textColumn<K extends string>(key: K, options: ColumnOptions = {}): Column<K, string, unknown> {
  return { key, ...options, render: (value) => value || dash }
}

export function numberColumn<K extends string>(
  key: K,
  options: ColumnOptions<string | ReactElement> = {},
): Column<K, number, unknown> {
  return {
    key,
    width: 76,
    align: 'right',
    ...options,
    render: (value) => <span className={cells.numeric}>{value.toLocaleString('zh-CN')}</span>,
  }
}

/** Long text on at most two lines; the rest on hover. */
export function longTextColumn<K extends string>(key: K, options: ColumnOptions = {}): Column<K, string, unknown> {
  return { key, width: 180, ...options, render: (value) => <ClampedText text={value} /> }
}

export function linkColumn<K extends string>(key: K, options: ColumnOptions = {}): Column<K, string, unknown> {
  return { key, ...options, render: (value) => <ExternalLink href={value} /> }
}

/** A switch that saves at once; users who may not change it see 是 or 否. */
export function toggleColumn<K extends string>(key: K, options: ColumnOptions = {}): Column<K, boolean, unknown> {
  return {
    key,
    width: 84,
    patches: true,
    ...options,
    text: (value) => (value ? '是' : '否'),
    render: (value, _row, { patch }) => (
      <SavingSwitch
        label={options.label ?? '启用'}
        checked={value}
        save={patch && ((checked) => patch({ [key]: checked }))}
      />
    ),
  }
}

export function timeColumn<K extends string>(
  key: K,
  options: ColumnOptions & { unset?: string } = {},
): Column<K, number | null, unknown> {
  const { unset, ...rest } = options
  const text = (value: number | null) => (value ? formatTime(value) : (unset ?? ''))
  return { key, width: 140, ...rest, text, render: (value) => <Timestamp at={value} unset={unset} /> }
}

/** The label of an enumeration's code. */
export function tagColumn<K extends string>(
  key: K,
  labels: Record<number, string>,
  options: ColumnOptions & { colors?: Record<number, string> } = {},
): Column<K, number, unknown> {
  const { colors, ...rest } = options
  const render = (value: number) => (
    <Tag color={colors?.[value]} variant="filled">
      {labels[value] ?? value}
    </Tag>
  )
  return { key, width: 110, ...rest, render, text: (value) => labels[value] ?? String(value) }
}

/** A user's name as a link to their home page, with the avatar where rows have it; `idKey` is the key of their id. */
export function userColumn<K extends string, I extends string>(
  key: K,
  idKey: I,
  options: ColumnOptions = {},
): Column<K, string, Record<I, number> & { avatar?: string }> {
  return { key, ...options, render: (name, row) => <UserLink id={row[idKey]} name={name} avatar={row.avatar} /> }
}

/** Any other content. The row's type has to be written at the use: TypeScript cannot infer it from there. */
export function customColumn<K extends string, R>(
  key: K,
  label: string,
  render: (row: R) => ReactNode,
  options: Omit<ColumnOptions, 'label'> & { text?: (row: NoInfer<R>) => string | Promise<string> } = {},
): Column<K, unknown, NoInfer<R>> {
  const { text, ...rest } = options
  return { key, label, ...rest, render: (_value, row) => render(row), text: text && ((_value, row) => text(row)) }
}
