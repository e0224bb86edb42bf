import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown, Flex, Tooltip } from 'antd'
import { Link, useNavigate } from 'react-router'
import type { AnyAction, Row } from '#web/admin/resource.ts'

interface RowActionsProps {
  row: Row
  actions: readonly AnyAction[]
  onEdit?: () => void
  /** What editing is called here. */
  editing?: string
  onAct: (action: AnyAction) => void
}

interface Item {
  label: string
  danger?: boolean
  blocked?: string
  to?: string
  act: () => void
}

const roomy = 3

/** The first few as words, the others behind a menu. */
export function RowActions({ row, actions, onEdit, editing = '编辑', onAct }: RowActionsProps) {
  const navigate = useNavigate()
  const items: Item[] = actions.map((action) => ({
    label: action.label,
    danger: action.danger,
    blocked: action.blocked?.(row),
    to: action.kind === 'link' ? action.to(row) : undefined,
    act: () => (action.kind === 'link' ? void navigate(action.to(row)) : onAct(action)),
  }))
  if (onEdit) items.unshift({ label: editing, act: onEdit })
  const shown = items.length > roomy ? items.slice(0, roomy - 1) : items
  const rest = items.slice(shown.length)
  return (
    <Flex gap={2} className="wa-actions">
      {shown.map((item) => (
        <Action key={item.label} {...item} />
      ))}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map(({ label, danger, blocked, act }) => ({
              key: label,
              label: blocked ? (
                <Tooltip title={blocked} placement="left">
                  {label}
                </Tooltip>
              ) : (
                label
              ),
              danger,
              disabled: blocked !== undefined,
              onClick: act,
            })),
          }}
        >
          <Button type="text" size="small" icon={<MoreOutlined />} aria-label="更多操作" />
        </Dropdown>
      )}
    </Flex>
  )
}

function Action({ label, danger, blocked, to, act }: Item) {
  if (to && !blocked) {
    return (
      <Link to={to} className="wa-action-link">
        {label}
      </Link>
    )
  }
  return (
    <Tooltip title={blocked}>
      <Button type="link" size="small" danger={danger} disabled={blocked !== undefined} onClick={act}>
        {label}
      </Button>
    </Tooltip>
  )
}
