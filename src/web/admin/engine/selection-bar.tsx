import { Button, Flex, Tooltip } from 'antd'
import type { AnyCall } from '#web/admin/engine/deeds.tsx'
import type { Row } from '#web/admin/resource.ts'

interface SelectionBarProps {
  rows: Row[]
  actions: readonly AnyCall[]
  onAct: (action: AnyCall) => void
  onClear: () => void
}

export function SelectionBar({ rows, actions, onAct, onClear }: SelectionBarProps) {
  if (rows.length === 0) return null
  return (
    <Flex wrap align="center" gap={8} component="output" className="wa-selection">
      <span>已选 {rows.length} 项</span>
      {actions.map((action) => {
        const reasons = rows.map((row) => action.blocked?.(row))
        const reason = reasons.every(Boolean) ? reasons[0] : undefined
        return (
          <Tooltip key={action.label} title={reason}>
            <Button size="small" danger={action.danger} disabled={reason !== undefined} onClick={() => onAct(action)}>
              批量{action.label}
            </Button>
          </Tooltip>
        )
      })}
      <Button size="small" type="link" onClick={onClear}>
        取消选择
      </Button>
    </Flex>
  )
}
