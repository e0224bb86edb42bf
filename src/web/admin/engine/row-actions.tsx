import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown, Flex } from 'antd'
import { Link, useNavigate } from 'react-router'
import styles from '#web/admin/engine/engine.module.css'
import { textWidth } from '#web/admin/engine/fit-columns.ts'
import { isApplicable } from '#web/admin/engine/use-actions.ts'
import type { AnyAction, Row } from '#web/admin/resource.ts'

export interface RowActionItem {
  label: string
  danger?: boolean
  to?: string
  onClick?: () => void
}

interface RowActionOptions {
  actions: readonly AnyAction[]
  editLabel?: string
  onEdit?: () => void
  onAction: (action: AnyAction) => void
}

/** What can be done with a row as it is. */
export function toRowActions(row: Row, { actions, editLabel = '编辑', onEdit, onAction }: RowActionOptions) {
  const items = actions
    .filter((action) => isApplicable(action, row))
    .map((action): RowActionItem => {
      const { label, danger } = action
      return action.kind === 'link'
        ? { label, danger, to: action.to(row) }
        : { label, danger, onClick: () => onAction(action) }
    })
  return onEdit ? [{ label: editLabel, onClick: onEdit }, ...items] : items
}

const maxVisible = 3

/** The first few as buttons, the others in a menu. */
export function RowActions({ items }: { items: readonly RowActionItem[] }) {
  const navigate = useNavigate()
  const visible = items.slice(0, countVisible(items))
  const hidden = items.slice(visible.length)
  return (
    <Flex gap={2} className={styles.actions}>
      {visible.map((item) => (
        <ActionButton key={item.label} {...item} />
      ))}
      {hidden.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: hidden.map(({ label, danger, to, onClick }) => ({
              key: label,
              label,
              danger,
              onClick: () => (to ? void navigate(to) : onClick?.()),
            })),
          }}
        >
          <Button
            type="text"
            size="small"
            icon={<MoreOutlined />}
            className={styles.touchTarget}
            aria-label="更多操作"
          />
        </Dropdown>
      )}
    </Flex>
  )
}

/** The width of a column with the actions of these rows. */
export function actionsWidth(rows: readonly (readonly RowActionItem[])[]): number {
  const widths = rows.map((items) => {
    const visible = items.slice(0, countVisible(items))
    const more = items.length > visible.length ? 40 : 0
    return visible.reduce((sum, { label }) => sum + textWidth(label) + 16, more)
  })
  return Math.max(2 * 16, ...widths) + 20
}

function countVisible(items: readonly RowActionItem[]): number {
  return items.length > maxVisible ? maxVisible - 1 : items.length
}

function ActionButton({ label, danger, to, onClick }: RowActionItem) {
  if (to) {
    return (
      <Link to={to} className={styles.linkAction}>
        {label}
      </Link>
    )
  }
  return (
    <Button type="link" size="small" danger={danger} className={styles.textAction} onClick={onClick}>
      {label}
    </Button>
  )
}
