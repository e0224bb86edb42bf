import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown, Flex, Tooltip } from 'antd'
import { Link, useNavigate } from 'react-router'
import styles from '#web/admin/engine/engine.module.css'
import type { AnyAction, Row } from '#web/admin/resource.ts'

interface RowActionsProps {
  row: Row
  actions: readonly AnyAction[]
  onEdit?: () => void
  editLabel?: string
  onAction: (action: AnyAction) => void
}

interface Item {
  label: string
  danger?: boolean
  disabledReason?: string
  to?: string
  onClick: () => void
}

const maxVisible = 3

/** The first few as buttons, the others in a menu. */
export function RowActions({ row, actions, onEdit, editLabel = '编辑', onAction }: RowActionsProps) {
  const navigate = useNavigate()
  const items: Item[] = actions.map((action) => ({
    label: action.label,
    danger: action.danger,
    disabledReason: action.disabledReason?.(row),
    to: action.kind === 'link' ? action.to(row) : undefined,
    onClick: () => (action.kind === 'link' ? void navigate(action.to(row)) : onAction(action)),
  }))
  if (onEdit) items.unshift({ label: editLabel, onClick: onEdit })
  const visible = items.length > maxVisible ? items.slice(0, maxVisible - 1) : items
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
            items: hidden.map(({ label, danger, disabledReason, onClick }) => ({
              key: label,
              label: disabledReason ? (
                <Tooltip title={disabledReason} placement="left">
                  {label}
                </Tooltip>
              ) : (
                label
              ),
              danger,
              disabled: disabledReason !== undefined,
              onClick,
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

function ActionButton({ label, danger, disabledReason, to, onClick }: Item) {
  if (to && !disabledReason) {
    return (
      <Link to={to} className={styles.linkAction}>
        {label}
      </Link>
    )
  }
  return (
    <Tooltip title={disabledReason}>
      <Button
        type="link"
        size="small"
        danger={danger}
        disabled={disabledReason !== undefined}
        className={styles.textAction}
        onClick={onClick}
      >
        {label}
      </Button>
    </Tooltip>
  )
}
