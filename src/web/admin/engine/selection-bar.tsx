import { Button, Flex, Tooltip } from 'antd'
import styles from '#web/admin/engine/engine.module.css'
import type { AnyCallAction } from '#web/admin/engine/use-actions.ts'
import type { Row } from '#web/admin/resource.ts'

interface SelectionBarProps {
  rows: Row[]
  actions: readonly AnyCallAction[]
  onAction: (action: AnyCallAction) => void
  onClear: () => void
}

export function SelectionBar({ rows, actions, onAction, onClear }: SelectionBarProps) {
  if (rows.length === 0) return null
  return (
    <Flex wrap align="center" gap={8} component="output" className={styles.selection}>
      <span>已选 {rows.length} 项</span>
      {actions.map((action) => {
        const reasons = rows.map((row) => action.disabledReason?.(row))
        const reason = reasons.every(Boolean) ? reasons[0] : undefined
        return (
          <Tooltip key={action.label} title={reason}>
            <Button
              size="small"
              danger={action.danger}
              disabled={reason !== undefined}
              className={styles.touchTarget}
              onClick={() => onAction(action)}
            >
              批量{action.label}
            </Button>
          </Tooltip>
        )
      })}
      <Button size="small" type="link" className={styles.touchTarget} onClick={onClear}>
        取消选择
      </Button>
    </Flex>
  )
}
