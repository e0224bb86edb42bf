import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { dash, Moment, Note, Outward, SavingSwitch, UserLink } from '#web/admin/cells.tsx'
import type { Column } from '#web/admin/resource.ts'

/** Column builders: each fits only keys whose values it can show. */

interface Traits {
  label?: string
  width?: number
  sort?: boolean
  extra?: boolean
}

export function plain<K extends string>(key: K, traits: Traits = {}): Column<K, string, unknown> {
  return { key, ...traits, show: (value) => value || dash }
}

export function figure<K extends string>(key: K, traits: Traits = {}): Column<K, number, unknown> {
  return {
    key,
    width: 76,
    align: 'right',
    ...traits,
    show: (value) => <span className="wa-figure">{value.toLocaleString('zh-CN')}</span>,
  }
}

/** Long text on at most two lines; the rest on hover. */
export function note<K extends string>(key: K, traits: Traits = {}): Column<K, string, unknown> {
  return { key, width: 180, ...traits, show: (value) => <Note text={value} /> }
}

export function link<K extends string>(key: K, traits: Traits = {}): Column<K, string, unknown> {
  return { key, ...traits, show: (value) => <Outward href={value} /> }
}

/** A switch that saves at once; those who may not change it see the state in words. */
export function toggle<K extends string>(key: K, traits: Traits = {}): Column<K, boolean, unknown> {
  return {
    key,
    width: 84,
    ...traits,
    show: (value, _row, { patch }) => (
      <SavingSwitch label={traits.label ?? '启用'} on={value} save={patch && ((on) => patch({ [key]: on }))} />
    ),
  }
}

export function time<K extends string>(
  key: K,
  traits: Traits & { unset?: string } = {},
): Column<K, number | null, unknown> {
  const { unset, ...rest } = traits
  return { key, width: 140, ...rest, show: (value) => <Moment at={value} unset={unset} /> }
}

/** A number of an enumeration as its word. */
export function tag<K extends string>(
  key: K,
  words: Record<number, string>,
  traits: Traits & { colors?: Record<number, string> } = {},
): Column<K, number, unknown> {
  const { colors, ...rest } = traits
  const show = (value: number) => (
    <Tag color={colors?.[value]} variant="filled">
      {words[value] ?? value}
    </Tag>
  )
  return { key, width: 110, ...rest, show }
}

/** The name of a user, leading to their home page; `id` is the key that holds their number. Rows that know the avatar show it. */
export function user<K extends string, I extends string>(
  key: K,
  id: I,
  traits: Traits = {},
): Column<K, string, Record<I, number> & { avatar?: string }> {
  return { key, ...traits, show: (name, row) => <UserLink id={row[id]} name={name} avatar={row.avatar} /> }
}

/** Anything else a row can tell. The row's type is written at its use: TypeScript does not look that far. */
export function cell<K extends string, R>(
  key: K,
  label: string,
  show: (row: R) => ReactNode,
  traits: Omit<Traits, 'label'> = {},
): Column<K, unknown, NoInfer<R>> {
  return { key, label, ...traits, show: (_value, row) => show(row) }
}
